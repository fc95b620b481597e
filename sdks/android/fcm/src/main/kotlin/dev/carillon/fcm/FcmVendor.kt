package dev.carillon.fcm

import android.content.Context
import com.google.android.gms.tasks.Task
import com.google.android.gms.tasks.Tasks
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPhone
import dev.carillon.vendor.VendorPush
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit

/**
 * Firebase Cloud Messaging. Firebase is started here and not by its content provider, which would run before the user's
 * consent. See [FirebaseStart] for the configuration.
 */
class FcmVendor @JvmOverloads constructor(private val firebase: Firebase = FirebaseStart) : VendorPush {
    override val vendor = Vendor.FCM

    override val needsKeys = false

    override fun isAvailable(context: Context): Boolean = VendorPhone.hasPackage(context, GOOGLE_PLAY_SERVICES)

    override fun register(context: Context, keys: VendorKeys) {
        if (!firebase.start(context)) {
            Carillon.onVendorError(vendor, "the app has no configuration of Firebase")
            return
        }
        firebase.requestToken(context).addOnCompleteListener(DIRECT) { task ->
            val token = task.result()
            when {
                !task.isSuccessful -> Carillon.onVendorError(vendor, codeOf(task.exception))
                // With installation IDs, there is no result here. The service receives the ID.
                token is String && token.isNotEmpty() -> Carillon.onVendorToken(vendor, token)
            }
        }
    }

    /** Until the token is deleted, Firebase would return it to the next user, who would then receive nothing. */
    override fun unregister(context: Context, keys: VendorKeys) {
        // An earlier process may have requested the token.
        if (!firebase.start(context)) return
        firebase.deleteToken(context)?.let { Tasks.await(it, DELETION_SECONDS_MAX, TimeUnit.SECONDS) }
    }

    private fun Task<*>.result(): Any? = if (isSuccessful) result else null

    /** Firebase reports errors as codes such as SERVICE_NOT_AVAILABLE. Other messages could contain a key. */
    private fun codeOf(error: Exception?): String =
        error?.message?.takeIf(CODE::matches) ?: error?.javaClass?.name ?: "cancelled"

    private companion object {
        const val GOOGLE_PLAY_SERVICES = "com.google.android.gms"

        /** Without a network, the deletion may never end. Other calls of the SDK must not wait longer. */
        const val DELETION_SECONDS_MAX = 30L
        val CODE = Regex("[A-Z_]{1,64}")

        /** The listeners only hand over to the background thread of Carillon, so any thread can run them. */
        val DIRECT = Executor(Runnable::run)
    }
}
