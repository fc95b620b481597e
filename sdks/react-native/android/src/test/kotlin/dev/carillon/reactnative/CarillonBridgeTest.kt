package dev.carillon.reactnative

import android.os.Looper
import dev.carillon.Carillon
import org.json.JSONObject
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
import java.io.File

/** Drives the real Android SDK, which cannot reach a server. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class CarillonBridgeTest {
    private val context = RuntimeEnvironment.getApplication()
    private val events = mutableListOf<Pair<String, String>>()

    private fun bridge() = CarillonBridge(context, emit = { event, payload -> events.add(event to payload) }, isInForeground = { true })

    /** One test, because the SDK stays started until the process ends. */
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
        shadowOf(Looper.getMainLooper()).idle()
        val (event, payload) = events.single()
        assertEquals("carillonTap", event)
        val tap = JSONObject(payload)
        assertEquals("7 7 7.1.2 text", listOf("task_id", "message_id", "reference", "type").joinToString(" ", transform = tap::getString))
        assertEquals(7, tap.getJSONObject("ext").getInt("table"))

        // A reload creates the new instance before or after the end of the old one.
        val new = bridge()
        new.listen()
        old.stopListening()
        new.vendorTap("""{"mid":"8"}""")
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals(2, events.size)
        new.stopListening()
        new.vendorTap("""{"mid":"9"}""")
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals("the tap is kept", 2, events.size)
        bridge().listen()
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals(3, events.size)

        assertThrows(IllegalArgumentException::class.java) { new.vendorToken("google", "t") }
        new.withdrawConsent()
        assertFalse(stored().exists())
    }

    private fun stored() = File(context.noBackupFilesDir, "carillon-react-native.json")

    private companion object {
        const val SETTINGS =
            """{"apiUrl":"http://127.0.0.1:1","gatewayUrl":"mqtt://127.0.0.1:1","appId":"shop","displaysInForeground":false}"""
    }
}
