package dev.carillon

import android.content.Intent
import com.xiaomi.mipush.sdk.MiPushCommandMessage
import com.xiaomi.mipush.sdk.MiPushMessage
import dev.carillon.stubs.VendorCalls
import dev.carillon.xiaomi.XiaomiPushReceiver
import dev.carillon.xiaomi.XiaomiVendor
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowBuild
import java.io.Serializable

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class XiaomiVendorTest {
    @get:Rule
    val phone = Phone("Xiaomi")

    @Before
    fun prepare() {
        VendorCalls.clear()
        phone.installPackage("com.xiaomi.xmsf")
        phone.api.setData("/push/certificate", JSONObject().put("app_id", "2882").put("app_key", "5131"))
    }

    private fun start() {
        phone.start(XiaomiVendor())
        phone.login()
        phone.eventually("the SDK is registered") { VendorCalls.of("MiPushClient.registerPush").size == 1 }
    }

    private fun onResult(command: String, code: Long, vararg arguments: String) =
        XiaomiPushReceiver().onReceiveRegisterResult(phone.app, MiPushCommandMessage(command, code, arguments.toList()))

    /** Issues a regId, as Xiaomi's SDK does: it stores the regId, and sends the broadcast. */
    private fun issue(regId: String) {
        VendorCalls.setResult("MiPushClient.getRegId", regId)
        onResult("register", 0, regId)
    }

    /** An intent of another app. Its extras are nested so deeply that reading them overflows the stack. */
    private class NestedIntent : Intent() {
        @Deprecated("as in Android")
        override fun getSerializableExtra(name: String?): Serializable = throw StackOverflowError()
    }

    private fun message(id: String) = MiPushMessage(Phone.jsonOf(Phone.data(id)))

    @Test
    fun `registers a regId, and each new one, once`() {
        start()
        assertEquals(listOf("2882", "5131"), VendorCalls.of("MiPushClient.registerPush").single().arguments)
        issue("regId-1")
        phone.eventually("the regId is registered") { phone.boundTokens(3) == listOf("regId-1") }
        issue("regId-1")
        phone.awaitSync("1")
        onResult("set-alias", 0, "ada")
        issue("regId-2")
        phone.eventually("the new regId is registered") { "regId-2" in phone.boundTokens(3) }
        assertEquals(listOf("regId-1", "regId-2"), phone.boundTokens(3))
    }

    @Test
    fun `registers no regId that another app has sent`() {
        start()
        onResult("register", 0, "regId of another app")
        issue("regId-1")
        phone.eventually("the regId is registered") { phone.boundTokens(3).isNotEmpty() }
        onResult("register", 0, "regId of another app")
        assertEquals(mapOf("3" to "regId-1"), phone.storedTokens())
        assertEquals(listOf("regId-1"), phone.boundTokens(3))
    }

    @Test
    fun `registers no regId on a phone of another maker`() {
        ShadowBuild.setManufacturer("Google")
        ShadowBuild.setBrand("google")
        phone.start(XiaomiVendor())
        phone.login()
        issue("regId-1")
        assertTrue(phone.storedTokens().isEmpty())
    }

    @Test
    fun `reads no regId before the start`() {
        issue("regId-1")
        assertTrue(VendorCalls.of("MiPushClient.getRegId").isEmpty())
    }

    @Test
    fun `reports the code of an error`() {
        start()
        onResult("register", 22022, "regId-1")
        phone.eventually("the error is reported") { phone.vendorErrors().any { "22022" in it } }
        assertFalse("regId-1" in phone.errorTexts())
        assertTrue(phone.boundTokens(3).isEmpty())
    }

    @Test
    fun `reports a displayed message, and does not display it again`() {
        start()
        phone.listen()
        XiaomiPushReceiver().onNotificationMessageArrived(phone.app, message("7"))
        phone.eventually("the receipt is reported") { phone.reports(isClick = false) == listOf("7.0.1") }
        assertTrue(phone.received.isEmpty())
        assertTrue(phone.displayedTitles().isEmpty())
    }

    @Test
    fun `counts a tap once if it is in the intent and in the receiver`() {
        start()
        phone.listen()
        phone.open(Intent().putExtra("key_message", message("7")))
        phone.eventually("the tap arrives") { phone.taps.map { it.messageId } == listOf("7") }
        XiaomiPushReceiver().onNotificationMessageClicked(phone.app, message("7"))
        XiaomiPushReceiver().onNotificationMessageClicked(phone.app, message("8"))
        phone.open(Intent().putExtra("key_message", "of another app"))
        phone.open(NestedIntent())
        phone.eventually("the taps arrive") { phone.taps.map { it.messageId } == listOf("7", "8") }
    }

    @Test
    fun `unregisters at a logout`() {
        start()
        Carillon.logout()
        phone.eventually("the SDK is unregistered") { VendorCalls.of("MiPushClient.unregisterPush").size == 1 }
    }

    @Test
    fun `is available with the system service of Xiaomi`() {
        assertTrue(XiaomiVendor().isAvailable(phone.app))
        phone.installPackage("com.xiaomi.xmsf", isEnabled = false)
        assertFalse(XiaomiVendor().isAvailable(phone.app))
    }
}
