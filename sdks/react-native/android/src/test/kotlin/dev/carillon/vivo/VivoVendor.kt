package dev.carillon.vivo

import android.content.Context
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** A module whose constructor needs the SDK of the vendor, which the app does not include. */
class VivoVendor : VendorPush {
    override val vendor = Vendor.VIVO

    init {
        throw NoClassDefFoundError("com/vivo/push/listener/IPushQueryActionListener")
    }

    override fun isAvailable(context: Context): Boolean = false

    override fun register(context: Context, keys: VendorKeys) = Unit
}
