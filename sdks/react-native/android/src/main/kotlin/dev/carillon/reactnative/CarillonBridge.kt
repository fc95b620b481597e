package dev.carillon.reactnative

import android.Manifest
import android.app.NotificationManager
import android.content.Context
import android.content.pm.PackageManager
import android.os.Build
import dev.carillon.Carillon
import dev.carillon.CarillonListener
import dev.carillon.CarillonNotification
import dev.carillon.api.ApiException
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import org.json.JSONObject

/** Translates between JSON and the Android SDK. It uses nothing of React Native, so that it can be tested without it. */
internal class CarillonBridge(
    private val context: Context,
    private val emit: (event: String, payload: String) -> Unit,
    private val isInForeground: () -> Boolean,
) {
    private val listener =
        object : CarillonListener {
            override fun onNotification(notification: CarillonNotification): Boolean {
                emit("carillonNotification", toJson(notification).toString())
                return isInForeground() && !CarillonStartup.displaysInForeground
            }

            override fun onTap(notification: CarillonNotification) = emit("carillonTap", toJson(notification).toString())

            override fun onRecall(messageId: String) = emit("carillonRecall", idsOf(messageId).toString())

            override fun onLoggedOut() = emit("carillonLoggedOut", "")
        }

    fun start(config: String) = CarillonStartup.start(context, config)

    fun isStarted(): Boolean = Carillon.isStarted

    fun withdrawConsent() {
        CarillonStartup.forget(context)
        if (Carillon.isStarted) Carillon.logout()
    }

    fun deviceGuid(): String = Carillon.deviceGuid

    fun use(accessToken: String, pushToken: String) = Carillon.use(Credentials(accessToken, pushToken))

    fun login(loginName: String, password: String, onResult: (Result<String>) -> Unit) =
        Carillon.login(loginName, password) { result ->
            onResult(
                result.map {
                    JSONObject()
                        .put("token", it.accessToken)
                        .put("push_token", it.pushToken)
                        .put("device_guid", Carillon.deviceGuid)
                        .toString()
                },
            )
        }

    fun logout(onResult: (Result<Unit>) -> Unit) = Carillon.logout(onResult)

    fun listen() {
        synchronized(Companion) { listening = this }
        Carillon.setListener(listener)
    }

    /** After a reload, a newer instance may listen already. */
    fun stopListening() {
        synchronized(Companion) {
            if (listening !== this) return
            listening = null
        }
        Carillon.setListener(null)
    }

    fun notificationPermission(): String {
        val isMissing =
            Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU &&
                context.checkSelfPermission(Manifest.permission.POST_NOTIFICATIONS) != PackageManager.PERMISSION_GRANTED
        if (isMissing) return "required"
        val manager = context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager
        return if (manager.areNotificationsEnabled()) "granted" else "denied"
    }

    fun vendorToken(vendor: String, token: String) =
        Carillon.onVendorToken(requireNotNull(Vendor.entries.find { it.key == vendor }) { "No vendor is named $vendor." }, token)

    fun vendorMessage(data: String, title: String?, body: String?): Boolean =
        Carillon.onVendorMessage(strings(data), title, body)

    fun vendorTap(data: String): Boolean = Carillon.onVendorTap(strings(data))

    /** Returns the error code of the API, or a word. */
    fun codeOf(error: Exception): String =
        when (error) {
            is ApiException -> error.code.toString()
            is java.io.IOException -> "unreachable"
            else -> "failed"
        }

    private fun strings(data: String): Map<String, String> =
        JSONObject(data).let { json -> json.keys().asSequence().associateWith(json::getString) }

    /** The fields of a payload of the Carillon channel, so that JavaScript reads both in the same way. */
    private fun toJson(notification: CarillonNotification): JSONObject =
        idsOf(notification.messageId)
            .put("reference", notification.reference)
            .put("type", if (notification.isDataOnly) "cmd" else "text")
            .putOpt("title", notification.title)
            .putOpt("body", notification.body)
            .putOpt("attachment_url", notification.imageUrl)
            .put("ext", notification.ext)
            .put(
                "android",
                JSONObject()
                    .putOpt("click_action", notification.intent?.let { "intent" })
                    .putOpt("intent", notification.intent)
                    .putOpt("channel_id", notification.channelId),
            )

    private fun idsOf(messageId: String) = JSONObject().put("task_id", messageId).put("message_id", messageId)

    private companion object {
        /** The instance that receives the events of the SDK. */
        var listening: CarillonBridge? = null
    }
}
