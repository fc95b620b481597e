package dev.carillon

import android.app.Application
import android.app.NotificationManager
import android.app.job.JobScheduler
import android.content.Context
import android.os.Looper
import dev.carillon.api.ApiClient
import dev.carillon.show.TapActivity
import dev.carillon.state.Credentials
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.io.File
import java.util.concurrent.atomic.AtomicReference

/** Drives the SDK against a running Carillon, whose addresses are in the environment. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class JourneyTest {
    private val context: Application = RuntimeEnvironment.getApplication()
    private val logged = mutableListOf<String>()
    private val taps = mutableListOf<CarillonNotification>()
    private val environment = System.getenv()
    private val api by lazy { ApiClient(environment.getValue("CARILLON_URL"), environment.getValue("CARILLON_APP_ID")) }
    private val adminToken by lazy { environment.getValue("CARILLON_ADMIN_TOKEN") }

    @Before
    fun needsCarillon() = assumeTrue("CARILLON_URL is not set", environment.containsKey("CARILLON_URL"))

    @After
    fun stop() = Carillon.killForTest()

    @Test
    fun `does nothing before start`() {
        assertFalse(Carillon.isStarted)
        assertEquals(emptyList<File>(), context.noBackupFilesDir.listFiles().orEmpty().toList())
        assertEquals(emptyList<Any>(), jobs().allPendingJobs)
        eventually("no thread runs") { Thread.getAllStackTraces().keys.none { it.name.startsWith("carillon") } }
    }

    @Test
    fun `displays a notification, counts it once, and delivers a tap to a later listener`() {
        val credentials = startAndLogin()
        val taskId = notify(credentials, "Dinner is ready")
        eventually("the notification is displayed") { displayed().size == 1 }
        eventually("the receipt is counted") { counters(taskId).getInt("nativepush_received") == 1 }

        val shown = displayed().single()
        assertTrue(Carillon.onVendorMessage(mapOf("mid" to taskId, "reference" to ""), "A copy"))
        assertEquals("a copy through a vendor is recognized", 1, displayed().size)
        val tap = shadowOf(shown.notification.contentIntent).savedIntent
        Robolectric.buildActivity(TapActivity::class.java, tap).create()
        Carillon.setListener(
            object : CarillonListener {
                override fun onTap(notification: CarillonNotification) {
                    taps.add(notification)
                }
            },
        )
        eventually("the tap arrives") { taps.singleOrNull()?.messageId == taskId }
        eventually("the click is counted") { report(taskId).getJSONArray("channels").toString().contains("\"clicked\":1") }
    }

    @Test
    fun `keeps its login and its device in the next process`() {
        val credentials = startAndLogin()
        val guid = Carillon.deviceGuid
        Carillon.killForTest()
        start()
        assertEquals(guid, Carillon.deviceGuid)
        eventually("the device is connected") { logged.count { it == CONNECTED } == 2 }
        notify(credentials, "After the restart")
        eventually("the notification is displayed") { displayed().size == 1 }
    }

    @Test
    fun `removes what the previous user saw after a logout`() {
        val credentials = startAndLogin()
        notify(credentials, "For Ada")
        eventually("the notification is displayed") { displayed().size == 1 }
        val result = AtomicReference<Result<Unit>>()
        Carillon.logout(result::set)
        eventually("the logout has ended") { result.get() != null }
        assertTrue(result.get().isSuccess)
        assertEquals(0, displayed().size)
    }

    private fun start() =
        Carillon.start(
            context,
            CarillonConfig(
                apiUrl = environment.getValue("CARILLON_URL"),
                gatewayUrl = "mqtt://127.0.0.1:${environment.getValue("MQTT_PORT")}",
                appId = environment.getValue("CARILLON_APP_ID"),
                smallIcon = android.R.drawable.ic_dialog_info,
                log = { synchronized(logged) { logged.add(it) } },
            ),
        )

    private fun startAndLogin(): Credentials {
        start()
        val result = AtomicReference<Result<Credentials>>()
        Carillon.login("ada@example.com", "ada-password", result::set)
        eventually("the login has ended") { result.get() != null }
        eventually("the device is connected") { synchronized(logged) { CONNECTED in logged } }
        return result.get().getOrThrow()
    }

    private fun notify(credentials: Credentials, title: String): String {
        val body =
            JSONObject()
                .put("audience", JSONObject().put("push_token", JSONArray(listOf(credentials.pushToken))))
                .put("message", JSONObject().put("title", title))
        return api.call("/push/notify", body, adminToken).getString("task_id")
    }

    private fun report(taskId: String) = api.call("/push/task/report", JSONObject().put("task_id", taskId.toLong()), adminToken)

    private fun counters(taskId: String): JSONObject {
        val channel = report(taskId).getJSONArray("channels")
        val native = (0 until channel.length()).map(channel::getJSONObject).find { it.getString("channel") == "nativepush" }
        return JSONObject().put("nativepush_received", native?.optInt("received") ?: 0)
    }

    private fun displayed() =
        (context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager).activeNotifications.toList()

    private fun jobs() = context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler

    private fun eventually(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + 15_000_000_000
        while (true) {
            shadowOf(Looper.getMainLooper()).idle()
            if (isTrue()) return
            check(System.nanoTime() < endNs) { "Not within 15 s: $what. Log: $logged" }
            Thread.sleep(20)
        }
    }

    private companion object {
        const val CONNECTED = "The device is connected."
    }
}
