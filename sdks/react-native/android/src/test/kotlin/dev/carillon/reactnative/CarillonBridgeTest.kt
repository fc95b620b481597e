package dev.carillon.reactnative

import android.app.NotificationManager
import android.graphics.drawable.AdaptiveIconDrawable
import android.os.Build
import android.os.Bundle
import android.os.Looper
import com.sun.net.httpserver.HttpServer
import dev.carillon.Carillon
import dev.carillon.fcm.FcmVendor
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.util.ReflectionHelpers
import java.io.File
import java.net.InetAddress
import java.net.InetSocketAddress

/** Drives the real Android SDK, which cannot reach a server. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class CarillonBridgeTest {
    private val context = RuntimeEnvironment.getApplication()
    private val manager = context.getSystemService(NotificationManager::class.java)!!
    private val events = mutableListOf<Pair<String, String>>()
    private val badges = mutableListOf<String>()
    private var isInForeground = true

    private fun bridge() = CarillonBridge(context, ::emit, isInForeground = { isInForeground })

    /** Most tests count events. Each notification also changes the badge. */
    private fun emit(event: String, payload: String) {
        if (event == "carillonBadge") badges.add(payload) else events.add(event to payload)
    }

    @After
    fun stop() {
        Carillon.stop()
        setAndroid(35)
    }

    @Test
    fun `survives stored settings that an update of the app has made wrong`() {
        for (settings in listOf(SETTINGS.replace("{", """{"smallIcon":"removed","""), SETTINGS.replace("mqtt:", "tcp:"), "{}", "{")) {
            stored().writeText(settings)
            CarillonStartup.resume(context)
            assertFalse(settings, Carillon.isStarted)
        }
        assertThrows(IllegalArgumentException::class.java) { bridge().start(SETTINGS.replace("mqtt:", "tcp:")) }
        stored().delete()
    }

    @Test
    fun `stops immediately without the consent, and can be started again`() {
        val bridge = bridge()
        bridge.start(SETTINGS)
        bridge.use("access", "push")
        bridge.withdrawConsent()
        assertFalse("it does not wait for the unreachable API", Carillon.isStarted)
        assertFalse(stored().exists())
        bridge.start(SETTINGS)
        assertFalse(Carillon.isLoggedIn)
        repeat(20) {
            shadowOf(Looper.getMainLooper()).idle()
            Thread.sleep(10)
        }
        assertTrue("the earlier logout ends nothing", Carillon.isStarted)
    }

    @Test
    fun `starts only after consent, keeps taps until JavaScript listens, and starts again without JavaScript`() {
        CarillonStartup.resume(context)
        assertFalse("nothing starts before the consent", Carillon.isStarted)
        assertEquals(emptyList<File>(), context.noBackupFilesDir.listFiles().orEmpty().toList())

        val old = bridge()
        assertThrows(org.json.JSONException::class.java) { old.start("""{"apiUrl":"http://127.0.0.1:1"}""") }
        assertFalse(stored().exists())
        old.start(SETTINGS)
        assertTrue(Carillon.isStarted)
        assertTrue(stored().exists())
        assertEquals("required", old.notificationPermission())
        assertEquals("the GUID stays the same", old.deviceGuid(), bridge().deviceGuid())

        assertTrue(old.vendorTap("""{"mid":"7","reference":"7.1.2","ext":"{\"table\":7}"}"""))
        assertFalse(old.vendorTap("""{"message":"of another service"}"""))
        old.listen()
        awaitEvents(1)
        val (event, payload) = events.single()
        assertEquals("carillonTap", event)
        val tap = JSONObject(payload)
        assertEquals("7 7 7.1.2 text", listOf("task_id", "message_id", "reference", "type").joinToString(" ", transform = tap::getString))
        assertEquals(7, tap.getJSONObject("ext").getInt("table"))

        // A reload creates the new instance before or after the end of the old one.
        val new = bridge()
        new.listen()
        old.stopListening()
        new.vendorTap("""{"mid":"8","reference":"8.1.2"}""")
        awaitEvents(2)
        new.stopListening()
        new.vendorTap("""{"mid":"9","reference":"9.1.2"}""")
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals("the tap is kept", 2, events.size)
        bridge().listen()
        awaitEvents(3)

        assertThrows(IllegalArgumentException::class.java) { new.vendorToken("google", "t") }
        new.stopListening()
        new.withdrawConsent()
        assertFalse(stored().exists())
    }

    @Test
    fun `passes a notification of the foreground to the app alone, as one that JavaScript keeps`() {
        val bridge = loggedIn()
        bridge.listen()
        bridge.vendorMessage("""{"mid":"7"}""", "Hello", "in the foreground")
        awaitEvents(1)
        isInForeground = false
        bridge.vendorMessage("""{"mid":"8"}""", "Hello", "in the background")
        awaitEvents(2)
        bridge.vendorMessage("""{"mid":"9"}""", null, null)
        awaitEvents(3)
        assertEquals(listOf("carillonUndisplayed", "carillonNotification", "carillonUndisplayed"), events.map { it.first })
        assertEquals(listOf("7", "8", "9"), events.map { JSONObject(it.second).getString("message_id") })
        assertEquals(listOf("8"), manager.activeNotifications.map { it.tag })
        await("the badge has changed") { badges == listOf("1", "2", "3") }
    }

    @Test
    fun `passes a vendor token to JavaScript when the API has accepted it`() {
        val server = server("{}")
        try {
            val bridge = bridge()
            bridge.start(SETTINGS.replace("http://127.0.0.1:1", "http://127.0.0.1:${server.address.port}"))
            bridge.listen()
            bridge.use("access", "push")
            bridge.vendorToken("xiaomi", "regId")
            awaitEvents(1)
            val (event, payload) = events.single()
            assertEquals("carillonToken", event)
            assertEquals("xiaomi regId", JSONObject(payload).run { "${getString("vendor")} ${getString("token")}" })
        } finally {
            server.stop(0)
        }
    }

    /** Returns a server that responds to each call with success and this data. */
    private fun server(data: String): HttpServer {
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            exchange.requestBody.readBytes()
            val bytes = """{"code":200,"data":$data}""".toByteArray()
            exchange.sendResponseHeaders(200, bytes.size.toLong())
            exchange.responseBody.use { it.write(bytes) }
        }
        server.start()
        return server
    }

    /** A payload is kept as a tap, because only a gateway can send one. */
    @Test
    fun `passes all fields of a notification to JavaScript, as the shared test vectors require`() {
        val vectors = JSONArray(File("../../test-vectors/notifications.json").readText()).let { list -> List(list.length(), list::getJSONObject) }
        val bridge = loggedIn()
        await("the login is stored") { state().exists() && "\"access\"" in state().readText() }
        Carillon.stop()
        val withTaps = JSONObject(state().readText()).put("taps", JSONArray(vectors.map { it.getString("payload") }))
        state().writeText(withTaps.toString())
        bridge.start(SETTINGS)
        bridge.listen()
        val expected = vectors.filter { !it.isNull("expected") }
        awaitEvents(expected.size)
        for ((vector, event) in expected.zip(events)) {
            val payload = JSONObject(event.second)
            val android = payload.optJSONObject("android")
            val fields = vector.getJSONObject("expected")
            for (name in fields.keys()) {
                val found = if (name == "intent") android?.opt(name) else payload.opt(name)
                assertEquals("${vector.getString("name")}: $name", fields.get(name).takeIf { it != JSONObject.NULL }?.toString(), found?.toString())
            }
        }
    }

    @Test
    fun `keeps the stored settings if JavaScript passes wrong ones while the SDK runs`() {
        val bridge = bridge()
        bridge.start(SETTINGS)
        val before = stored().readText()
        for (wrong in listOf(SETTINGS.replace("mqtt:", "tcp:"), SETTINGS.replace("http:", "ftp:")))
            assertThrows(IllegalArgumentException::class.java) { bridge.start(wrong) }
        assertEquals(before, stored().readText())
    }

    @Test
    fun `returns whether a login is that of another user than before`() {
        val bridge = loggedIn()
        assertFalse(bridge.use("access-new", "push"))
        assertTrue(bridge.use("access-2", "push-2"))
    }

    @Test
    fun `returns the result of a login although the SDK is stopped before`() {
        val server = server("""{"token":"access","push_token":"push"}""")
        try {
            val bridge = bridge()
            bridge.start(SETTINGS.replace("http://127.0.0.1:1", "http://127.0.0.1:${server.address.port}"))
            val guid = bridge.deviceGuid()
            var result: Result<String>? = null
            bridge.login("ada", "password") { result = it }
            val endNs = System.nanoTime() + 20_000_000_000
            // The main thread is busy until the SDK is stopped.
            while (!Carillon.isLoggedIn) {
                check(System.nanoTime() < endNs) { "no login within 20 s" }
                Thread.sleep(5)
            }
            Carillon.stop()
            await("the result arrives") { result != null }
            assertEquals(guid, JSONObject(result!!.getOrThrow()).getString("device_guid"))
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `starts with the other vendors if the SDK of a vendor is missing`() {
        FcmVendor.asked = false
        loggedIn()
        await("the module of FCM is used") { FcmVendor.asked }
        Carillon.stop()
        CarillonStartup.resume(context)
        assertTrue("the next process starts too", Carillon.isStarted)
    }

    @Test
    fun `never displays an adaptive icon in the status bar of Android 8`() {
        assertTrue(context.getDrawable(ADAPTIVE) is AdaptiveIconDrawable)
        assertFalse(context.getDrawable(android.R.drawable.ic_popup_reminder) is AdaptiveIconDrawable)
        val app = shadowOf(context.packageManager).getInternalMutablePackageInfo(context.packageName).applicationInfo!!
        app.icon = ADAPTIVE
        assertEquals("a newer Android displays it", ADAPTIVE, CarillonStartup.iconOf(context, ""))
        setAndroid(26)
        assertEquals("the icon of the app", android.R.drawable.ic_popup_reminder, CarillonStartup.iconOf(context, ""))
        assertEquals("a named icon", android.R.drawable.ic_popup_reminder, CarillonStartup.iconOf(context, "android:drawable/sym_def_app_icon"))
        assertEquals("another named icon", android.R.drawable.ic_dialog_info, CarillonStartup.iconOf(context, "android:drawable/ic_dialog_info"))
        app.metaData = Bundle().apply { putInt("dev.carillon.small_icon", ADAPTIVE) }
        assertEquals("the icon in the manifest", android.R.drawable.ic_popup_reminder, CarillonStartup.iconOf(context, ""))
        app.metaData = null
        app.icon = 0
        assertEquals("no icon", android.R.drawable.ic_popup_reminder, CarillonStartup.iconOf(context, ""))
    }

    private fun setAndroid(version: Int) = ReflectionHelpers.setStaticField(Build.VERSION::class.java, "SDK_INT", version)

    private fun loggedIn(): CarillonBridge =
        bridge().apply {
            start(SETTINGS)
            use("access", "push")
        }

    private fun awaitEvents(count: Int) {
        await("$count events") { events.size >= count }
        assertEquals(count, events.size)
    }

    /** The SDK works on its own threads. */
    private fun await(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + 20_000_000_000
        while (!isTrue()) {
            shadowOf(Looper.getMainLooper()).idle()
            check(System.nanoTime() < endNs) { "Not within 20 s: $what, events $events" }
            Thread.sleep(5)
        }
    }

    private fun stored() = File(context.noBackupFilesDir, "carillon-react-native.json")

    private fun state() = File(context.noBackupFilesDir, "carillon.json")

    private companion object {
        /** Android's default icon for apps. */
        const val ADAPTIVE = android.R.drawable.sym_def_app_icon

        const val SETTINGS =
            """{"apiUrl":"http://127.0.0.1:1","gatewayUrl":"mqtt://127.0.0.1:1","appId":"shop","displaysInForeground":false}"""
    }
}
