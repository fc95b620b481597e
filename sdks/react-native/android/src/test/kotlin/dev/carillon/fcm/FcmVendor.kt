package dev.carillon.fcm

import android.content.Context
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** A module whose SDK the app includes. Phones with any maker use it. */
class FcmVendor : VendorPush {
    override val vendor = Vendor.FCM

    override fun isAvailable(context: Context): Boolean = false.also { asked = true }

    override fun register(context: Context, keys: VendorKeys) = Unit

    companion object {
        @Volatile
        var asked = false
    }
}
