package dev.carillon.unifiedpush

import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData
import org.json.JSONException
import org.json.JSONObject
import org.unifiedpush.android.connector.FailedReason
import org.unifiedpush.android.connector.PushService
import org.unifiedpush.android.connector.data.PushEndpoint
import org.unifiedpush.android.connector.data.PushMessage

/** Receives endpoints and messages of UnifiedPush. */
class UnifiedPushService : PushService() {
    /** Carillon treats an endpoint as a subscription of Web Push. */
    override fun onNewEndpoint(endpoint: PushEndpoint, instance: String) {
        val keys = endpoint.pubKeySet
        if (keys == null) {
            Carillon.onVendorError(Vendor.UNIFIED_PUSH, "the endpoint has no keys")
            return
        }
        val subscription =
            JSONObject()
                .put("endpoint", endpoint.url)
                .put("keys", JSONObject().put("p256dh", keys.pubKey).put("auth", keys.auth))
        Carillon.onVendorToken(Vendor.UNIFIED_PUSH, subscription.toString())
    }

    override fun onMessage(message: PushMessage, instance: String) {
        // Without encryption, the message is not from Carillon.
        if (!message.decrypted) return
        val notification = notificationIn(message.content.decodeToString()) ?: return
        val data = VendorData.ofJson(notification.optString("data"))
        val badge = if (notification.has("app_badge")) mapOf("badge" to notification.getString("app_badge")) else emptyMap()
        Carillon.onVendorMessage(data + badge, notification.optString("title"), notification.optString("body"))
    }

    override fun onRegistrationFailed(reason: FailedReason, instance: String) =
        Carillon.onVendorError(Vendor.UNIFIED_PUSH, reason.name)

    override fun onUnregistered(instance: String) = Carillon.onVendorUnregistered(Vendor.UNIFIED_PUSH)

    /** Returns the notification of a declarative push message, or null if it is something else. */
    private fun notificationIn(text: String): JSONObject? =
        try {
            JSONObject(text).optJSONObject("notification")
        } catch (_: JSONException) {
            null
        }
}
