package dev.carillon.huawei

import android.content.Context
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** A module that cannot be loaded, because the app does not include the SDK of the vendor. */
class HuaweiVendor : VendorPush {
    override val vendor = Vendor.HUAWEI

    override fun isAvailable(context: Context): Boolean = false

    override fun register(context: Context, keys: VendorKeys) = Unit

    companion object {
        init {
            throw NoClassDefFoundError("com/huawei/hms/common/ApiException")
        }
    }
}
