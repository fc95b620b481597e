package dev.carillon.vendor

import android.content.Context
import android.content.Intent

/**
 * The push service of a vendor. Each vendor module has one implementation, which the app lists in
 * `CarillonConfig.vendors`. The SDK calls it only after `Carillon.start`.
 */
interface VendorPush {
    val vendor: Vendor

    /** Whether [register] needs keys. If not, the app contains them in another way, as with Firebase. */
    val needsKeys: Boolean get() = true

    /** Returns whether the service works on this phone. May read the list of packages, but no identifiers. */
    fun isAvailable(context: Context): Boolean

    /**
     * Requests the vendor token, on a background thread. The module passes it to `Carillon.onVendorToken`, immediately
     * or later, and passes each new token that the vendor issues. If the vendor issues none, the module calls
     * `Carillon.onVendorError`.
     */
    fun register(context: Context, keys: VendorKeys)

    /**
     * Stops the service of the vendor. Called on a background thread after a logout. An earlier process may have called
     * [register], so this function starts what it needs itself. [keys] are those of that call, without the secret. Waits
     * for the vendor if a later [register] could otherwise get a token that the vendor is about to delete.
     */
    fun unregister(context: Context, keys: VendorKeys) {}

    /**
     * Returns the data of a tapped notification from the intent of the activity that the tap opened. Called on the main
     * thread, and only on phones whose maker uses this vendor. An exception means that there is no data.
     */
    fun dataOfTap(intent: Intent): Map<String, String> = VendorData.ofExtras(intent)
}

/** The keys that an app needs for the SDK of a vendor. Fields that the vendor does not use are empty. */
data class VendorKeys(val appId: String = "", val appKey: String = "", val appSecret: String = "") {
    /** Contains no key, because a module or an app can log it. */
    override fun toString(): String = "VendorKeys(…)"
}
