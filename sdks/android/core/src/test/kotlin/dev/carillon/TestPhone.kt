package dev.carillon

import android.app.Application
import android.app.NotificationManager
import android.content.Context
import android.content.Intent
import android.net.ConnectivityManager
import android.os.Looper
import android.service.notification.StatusBarNotification
import dev.carillon.api.ApiClient
import dev.carillon.show.TapActivity
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assume.assumeTrue
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowNetwork
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread

/**
 * A phone with the SDK, and the backend that sends to it. `test/android/android-sdk.test.ts` or `npm run dev` starts
 * Carillon, and passes its addresses in the environment.
 */
internal class TestPhone : CarillonListener {
    val context: Application = RuntimeEnvironment.getApplication()
    val logged = CopyOnWriteArrayList<String>()
    val received = CopyOnWriteArrayList<CarillonNotification>()
    val taps = CopyOnWriteArrayList<CarillonNotification>()
    var logouts = 0
    val fcm = TestFcm("live-${System.nanoTime()}")
    private val environment = System.getenv()
    private val adminToken by lazy { environment.getValue("CARILLON_ADMIN_TOKEN") }
    private val appId by lazy { environment.getValue("CARILLON_APP_ID") }

    /** The API, without the network of the phone. */
    val api by lazy { ApiClient(environment.getValue("CARILLON_URL"), appId) }
    private val phoneApiUrl by lazy { environment["CARILLON_PHONE_API_URL"] ?: environment.getValue("CARILLON_URL") }
    private val phoneGatewayUrl by lazy {
        environment["CARILLON_PHONE_GATEWAY_URL"] ?: "mqtt://127.0.0.1:${environment.getValue("MQTT_PORT")}"
    }

    val connections: Int get() = logged.count { it == "The device is connected." }

    override fun onNotification(notification: CarillonNotification): Boolean {
        received += notification
        return false
    }

    override fun onTap(notification: CarillonNotification) {
        taps += notification
    }

    override fun onLoggedOut() {
        logouts++
    }

    fun needsCarillon() = assumeTrue("CARILLON_URL is not set", environment.containsKey("CARILLON_URL"))

    fun needsControl() = assumeTrue("CARILLON_CONTROL_URL is not set", environment.containsKey("CARILLON_CONTROL_URL"))

    /** Starts the SDK, as `Application.onCreate` does in a new process. */
    fun start(vendors: List<VendorPush> = listOf(fcm)) =
        Carillon.start(
            context,
            CarillonConfig(
                apiUrl = phoneApiUrl,
                gatewayUrl = phoneGatewayUrl,
                appId = appId,
                smallIcon = android.R.drawable.ic_dialog_info,
                vendors = vendors,
                log = { logged += it },
            ),
        )

    /** Logs in at the backend, which passes both tokens to the app, and waits until the device is connected. */
    fun logIn(user: TestUser): Credentials {
        val before = connections
        val credentials = credentialsOf(user, Carillon.deviceGuid)
        Carillon.use(credentials)
        eventually("the device is connected") { connections > before }
        return credentials
    }

    fun credentialsOf(user: TestUser, deviceGuid: String): Credentials {
        val body = JSONObject().put("login_name", user.name).put("password", user.password).put("device_guid", deviceGuid)
        val data = api.call("/token/login", body, null)
        return Credentials(data.getString("token"), data.getString("push_token"))
    }

    fun createUser(prefix: String): TestUser {
        val user = TestUser("$prefix-${System.nanoTime()}", "nine bells at noon")
        admin("/admin/user/create", JSONObject().put("name", user.name).put("password", user.password))
        return user
    }

    /** Sends a notification and returns its task ID. */
    fun notify(credentials: Credentials, message: JSONObject, setting: JSONObject = JSONObject()): String {
        val body =
            JSONObject()
                .put("audience", JSONObject().put("push_token", JSONArray(listOf(credentials.pushToken))))
                .put("message", message)
                .put("setting", setting)
        return admin("/push/notify", body).getString("task_id")
    }

    fun notify(credentials: Credentials, title: String) = notify(credentials, JSONObject().put("title", title))

    fun admin(path: String, body: JSONObject) = api.call(path, body, adminToken)

    /** Returns the counters of a task: `fcm.received`, `nativepush.clicked`, … */
    fun counters(taskId: String): Map<String, Int> {
        val channels = admin("/push/task/report", JSONObject().put("task_id", taskId.toLong())).getJSONArray("channels")
        return List(channels.length(), channels::getJSONObject).flatMap { channel ->
            listOf("target", "sent", "received", "clicked").map { "${channel.getString("channel")}.$it" to channel.getInt(it) }
        }.toMap()
    }

    fun eventuallyCounted(taskId: String, counter: String, expected: Int = 1) =
        eventually("$counter is $expected") { counters(taskId)[counter] == expected }

    /** Returns the messages that the simulator of FCM accepted for the vendor token of this phone. */
    fun fcmMessages(token: String = fcm.token): List<JSONObject> {
        val arrived = getJson("${environment.getValue("CARILLON_FCM_URL")}/arrived?token=$token&limit=20000").getJSONArray("arrived")
        return List(arrived.length()) { arrived.getJSONObject(it).getJSONObject("message") }
    }

    /** Passes a message to the SDK, as the module for FCM does on its thread. */
    fun receiveThroughFcm(message: JSONObject): Boolean {
        val data = message.getJSONObject("data").let { json -> json.keys().asSequence().associateWith(json::getString) }
        val shown = message.optJSONObject("android")?.optJSONObject("notification")
        var isOurs = false
        thread { isOurs = Carillon.onVendorMessage(data, shown?.optString("title"), shown?.optString("body")) }.join()
        return isOurs
    }

    /** Asks the test that started Carillon for an action, such as `gateway/kill`. */
    fun control(action: String): JSONObject = getJson("${environment.getValue("CARILLON_CONTROL_URL")}/$action")

    /** Ends the failures of a test's network, so that they do not continue in the next test. */
    fun restoreNetwork() {
        if (environment.containsKey("CARILLON_CONTROL_URL")) control("network/up")
    }

    /** Returns how many requests with this path the phone has sent to the API. */
    fun requestCount(path: String): Int = control("requests?path=$path").getInt("count")

    fun useAnotherNetwork(id: Int) {
        val manager = context.getSystemService(Context.CONNECTIVITY_SERVICE) as ConnectivityManager
        shadowOf(manager).networkCallbacks.toList().forEach { it.onAvailable(ShadowNetwork.newInstance(id)) }
    }

    fun displayed(): List<StatusBarNotification> =
        (context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager).activeNotifications.toList()

    fun tapIntent(shown: StatusBarNotification): Intent = shadowOf(shown.notification.contentIntent).savedIntent

    /** Opens the activity of a tap, which Android does in a new process if necessary. */
    fun tap(intent: Intent) {
        Robolectric.buildActivity(TapActivity::class.java, intent).create()
    }

    /** Lets the main thread of the phone do its work. */
    fun idle() = shadowOf(Looper.getMainLooper()).idle()

    /** Calls a function with a callback and waits for its result. */
    fun <T> await(call: ((Result<T>) -> Unit) -> Unit): Result<T> {
        val result = AtomicReference<Result<T>>()
        call(result::set)
        eventually("the call has ended") { result.get() != null }
        return result.get()
    }

    fun eventually(what: String, secondsMax: Int = 20, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + secondsMax * 1_000_000_000L
        while (true) {
            idle()
            if (isTrue()) return
            check(System.nanoTime() < endNs) { "Not within $secondsMax s: $what. Log: ${logged.takeLast(20)}" }
            Thread.sleep(20)
        }
    }

    private fun getJson(url: String): JSONObject {
        val connection = URL(url).openConnection() as HttpURLConnection
        connection.connectTimeout = 30_000
        connection.readTimeout = 60_000
        return JSONObject(connection.inputStream.use { it.readBytes().decodeToString() })
    }
}

internal class TestUser(val name: String, val password: String)

/** A module like the one for FCM: it has a token, and passes it on. */
internal class TestFcm(@Volatile var token: String) : VendorPush {
    override val vendor = Vendor.FCM
    override val needsKeys = false
    var unregistrations = 0

    override fun isAvailable(context: Context) = true

    override fun register(context: Context, keys: VendorKeys) = Carillon.onVendorToken(vendor, token)

    override fun unregister(context: Context, keys: VendorKeys) {
        unregistrations++
    }
}
