package dev.carillon.huawei

import android.content.Context
import com.huawei.hms.aaid.HmsInstanceId
import com.huawei.hms.common.ApiException
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPhone
import dev.carillon.vendor.VendorPush

/** Push Kit of Huawei. Needs the App ID. */
class HuaweiVendor : VendorPush {
    override val vendor = Vendor.HUAWEI

    override fun isAvailable(context: Context): Boolean = VendorPhone.hasPackage(context, HMS_CORE)

    override fun register(context: Context, keys: VendorKeys) {
        try {
            val token = HmsInstanceId.getInstance(context).getToken(keys.appId, SCOPE)
            // Before EMUI 10, the token is empty here and arrives later in the service.
            if (!token.isNullOrEmpty()) Carillon.onVendorToken(vendor, token)
        } catch (error: ApiException) {
            Carillon.onVendorError(vendor, "code ${error.statusCode}")
        }
    }

    override fun unregister(context: Context, keys: VendorKeys) {
        try {
            HmsInstanceId.getInstance(context).deleteToken(keys.appId, SCOPE)
        } catch (_: ApiException) {
            // Carillon has removed the token already.
        }
    }

    private companion object {
        const val HMS_CORE = "com.huawei.hwid"

        /** Push Kit has only this scope. */
        const val SCOPE = "HCM"
    }
}
