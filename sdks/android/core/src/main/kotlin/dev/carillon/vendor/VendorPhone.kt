package dev.carillon.vendor

import android.content.Context
import android.content.pm.PackageManager

/** Reads what a phone has for a vendor. Vendor modules use it, so that they read no identifiers. */
object VendorPhone {
    /** Returns whether a package is installed and enabled. The manifest of the module must name it in `queries`. */
    @JvmStatic
    fun hasPackage(context: Context, name: String): Boolean =
        try {
            context.packageManager.getApplicationInfo(name, 0).enabled
        } catch (_: PackageManager.NameNotFoundException) {
            false
        }
}
