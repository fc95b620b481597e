package dev.carillon.reactnative

import android.content.Context
import dev.carillon.Carillon
import dev.carillon.CarillonListener
import dev.carillon.CarillonNotification
import dev.carillon.api.ApiException
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import org.json.JSONObject
import java.io.IOException
import java.util.Locale

/** Translates between JSON and the Android SDK. It uses nothing of React Native, so that it can be tested without it. */
internal class CarillonBridge(
    private val context: Context,
    private val emit: (event: String, payload: String) -> Unit,
    private val isInForeground: () -> Boolean,
) {
    private val listener =
        object : CarillonListener {
            override fun onNotification(notification: CarillonNotification): Boolean {
                val isForApp = isInForeground() && !CarillonStartup.displaysInForeground
                // JavaScript keeps a notification that the phone does not display until it has a listener.
                val event = if (isForApp || notification.isDataOnly) "carillonUndisplayed" else "carillonNotification"
                emit(event, toJson(notification).toString())
                return isForApp
            }

            override fun onTap(notification: CarillonNotification) = emit("carillonTap", toJson(notification).toString())

            override fun onRecall(messageId: String) = emit("carillonRecall", idsOf(messageId).toString())

            override fun onBadge(badge: Int) = emit("carillonBadge", "$badge")

            override fun onToken(vendor: Vendor, token: String) =
                emit("carillonToken", JSONObject().put("vendor", vendor.key).put("token", token).toString())

            override fun onLoggedOut() = emit("carillonLoggedOut", "")
        }

    fun start(config: String) = CarillonStartup.start(context, config)

    fun isStarted(): Boolean = Carillon.isStarted

    fun withdrawConsent() {
        CarillonStartup.forget(context)
        if (!Carillon.isStarted) return
        Carillon.logout()
        // The SDK still sends the logout. Waiting for it would also end an SDK that was started again.
        Carillon.stop()
    }

    fun deviceGuid(): String = Carillon.deviceGuid

    /** Returns whether the previous user, if there was one, is another one. */
    fun use(accessToken: String, pushToken: String): Boolean {
        val isOtherUser = Carillon.pushToken != pushToken
        Carillon.use(Credentials(accessToken, pushToken))
        return isOtherUser
    }

    fun login(loginName: String, password: String, onResult: (Result<String>) -> Unit) {
        val previous = Carillon.pushToken
        // The SDK can be stopped before the result arrives.
        val deviceGuid = Carillon.deviceGuid
        Carillon.login(loginName, password) { result ->
            onResult(
                result.map {
                    JSONObject()
                        .put("token", it.accessToken)
                        .put("push_token", it.pushToken)
                        .put("device_guid", deviceGuid)
                        .put("is_other_user", previous != it.pushToken)
                        .toString()
                },
            )
        }
    }

    fun logout(onResult: (Result<Unit>) -> Unit) = Carillon.logout(onResult)

    fun listen() {
        synchronized(Companion) {
            listening = this
            Carillon.setListener(listener)
        }
    }

    /** After a reload, a newer instance may listen already. */
    fun stopListening() {
        synchronized(Companion) {
            if (listening !== this) return
            listening = null
            Carillon.setListener(null)
        }
    }

    fun notificationPermission(): String = Carillon.notificationPermission(context).name.lowercase(Locale.ROOT)

    fun onNotificationPermissionResult() = Carillon.onNotificationPermissionResult()

    fun setBadge(badge: Int) = Carillon.setBadge(badge)

    fun vendorToken(vendor: String, token: String) =
        Carillon.onVendorToken(requireNotNull(Vendor.entries.find { it.key == vendor }) { "No vendor is named $vendor." }, token)

    fun vendorMessage(data: String, title: String?, body: String?): Boolean =
        Carillon.onVendorMessage(strings(data), title, body)

    fun vendorTap(data: String): Boolean = Carillon.onVendorTap(strings(data))

    /** Returns the error code of the API, or a word. */
    fun codeOf(error: Exception): String =
        when (error) {
            is ApiException -> error.code.toString()
            is IOException -> "unreachable"
            else -> "failed"
        }

    private fun strings(data: String): Map<String, String> =
        JSONObject(data).let { json -> json.keys().asSequence().associateWith(json::getString) }

    /** The fields of a payload of the Carillon channel, so that JavaScript reads both in the same way. */
    private fun toJson(notification: CarillonNotification): JSONObject =
        notification.toJson().put("task_id", notification.messageId)

    private fun idsOf(messageId: String) = JSONObject().put("task_id", messageId).put("message_id", messageId)

    private companion object {
        /** The instance that receives the events of the SDK. */
        var listening: CarillonBridge? = null
    }
}
