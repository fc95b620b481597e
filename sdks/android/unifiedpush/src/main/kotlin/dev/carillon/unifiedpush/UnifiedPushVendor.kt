package dev.carillon.unifiedpush

import android.app.Activity
import android.content.Context
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.unifiedpush.android.connector.INSTANCE_DEFAULT
import org.unifiedpush.android.connector.UnifiedPush
import org.unifiedpush.android.connector.keys.DefaultKeyManager
import org.unifiedpush.android.connector.keys.KeyManager

/** UnifiedPush, for phones without Google services. The key `app_key` is the public VAPID key. */
class UnifiedPushVendor
@JvmOverloads
constructor(private val keyManagerOf: (Context) -> KeyManager = { DefaultKeyManager(it) }) : VendorPush {
    override val vendor = Vendor.UNIFIED_PUSH

    @Volatile
    private var vapid: String? = null

    override fun isAvailable(context: Context): Boolean =
        try {
            UnifiedPush.getDistributors(context).isNotEmpty()
        } catch (_: Exception) {
            false
        }

    /** Uses the distributor that the user has chosen, or the only one. The endpoint arrives in the service. */
    override fun register(context: Context, keys: VendorKeys) {
        vapid = keys.appKey
        val distributor =
            UnifiedPush.getSavedDistributor(context) ?: UnifiedPush.getDistributors(context).singleOrNull()
        if (distributor == null) {
            Carillon.onVendorError(vendor, "the user must choose a distributor")
            return
        }
        UnifiedPush.saveDistributor(context, distributor)
        registerAt(context, keys.appKey)
    }

    /** The connector forgets the distributor with the last registration, but the choice of the user must stay. */
    override fun unregister(context: Context, keys: VendorKeys) {
        val distributor = UnifiedPush.getSavedDistributor(context)
        UnifiedPush.unregister(context, INSTANCE_DEFAULT, keyManagerOf(context))
        if (distributor != null) UnifiedPush.saveDistributor(context, distributor)
    }

    /**
     * Lets the user choose a distributor if there are several. Call it from an activity, for example in the settings of
     * the app. [onResult] gets false if the user chose none.
     */
    fun chooseDistributor(activity: Activity, onResult: (Boolean) -> Unit = {}) =
        UnifiedPush.tryUseDefaultDistributor(activity) { isChosen ->
            val key = vapid
            if (isChosen && key != null) registerAt(activity.applicationContext, key)
            onResult(isChosen)
        }

    private fun registerAt(context: Context, key: String) =
        try {
            UnifiedPush.register(context, INSTANCE_DEFAULT, null, key, keyManagerOf(context))
        } catch (_: UnifiedPush.VapidNotValidException) {
            Carillon.onVendorError(vendor, "the VAPID key is not valid")
        }
}
