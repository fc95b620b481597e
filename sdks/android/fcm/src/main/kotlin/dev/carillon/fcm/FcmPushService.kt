package dev.carillon.fcm

import com.google.firebase.messaging.FirebaseMessagingService
import com.google.firebase.messaging.RemoteMessage
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor

/**
 * Receives tokens and messages of FCM. An app with messages of other services extends this class, declares its own
 * service instead, and handles messages for which [onCarillonMessage] returns false.
 */
open class FcmPushService : FirebaseMessagingService() {
    @Suppress("OVERRIDE_DEPRECATION") // most apps have not changed to installation IDs
    override fun onNewToken(token: String) = Carillon.onVendorToken(Vendor.FCM, token)

    /** Called instead of [onNewToken] if the app uses Firebase installation IDs. */
    override fun onRegistered(installationId: String) = Carillon.onVendorToken(Vendor.FCM, installationId)

    /** It can arrive after the registration of the next user. */
    override fun onUnregistered(installationId: String) = Carillon.onVendorUnregistered(Vendor.FCM, installationId)

    override fun onMessageReceived(message: RemoteMessage) {
        onCarillonMessage(message)
    }

    /** Returns false if the message is not from Carillon. */
    protected fun onCarillonMessage(message: RemoteMessage): Boolean {
        val shown = message.notification
        // The notification channel is not in the data. Firebase uses it if the app is in the background.
        val channel = shown?.channelId?.let { mapOf("channel_id" to it) }.orEmpty()
        return Carillon.onVendorMessage(message.data + channel, shown?.title, shown?.body)
    }
}
