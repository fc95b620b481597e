package dev.carillon

import com.meizu.cloud.pushsdk.handler.MzPushMessage
import com.meizu.cloud.pushsdk.platform.message.RegisterStatus
import dev.carillon.meizu.MeizuPushReceiver
import dev.carillon.meizu.MeizuVendor
import dev.carillon.stubs.VendorCalls
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

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class MeizuVendorTest {
    @get:Rule
    val phone = Phone("Meizu")

    @Before
    fun prepare() {
        VendorCalls.clear()
        VendorCalls.setResult("MzSystemUtils.isBrandMeizu", true)
        phone.api.setData("/push/certificate", JSONObject().put("app_id", "100999").put("app_key", "key"))
    }

    private fun start() {
        phone.start(MeizuVendor())
        phone.login()
        phone.eventually("the SDK is registered") { VendorCalls.of("PushManager.register").isNotEmpty() }
    }

    private fun onStatus(code: String, pushId: String?) =
        MeizuPushReceiver().onRegisterStatus(phone.app, RegisterStatus().also { it.code = code; it.pushId = pushId })

    @Test
    fun `registers a pushId, and each new one, once`() {
        start()
        assertEquals(listOf("100999", "key"), VendorCalls.of("PushManager.register").single().arguments)
        onStatus("200", "pushId-1")
        phone.eventually("the pushId is registered") { phone.boundTokens(4) == listOf("pushId-1") }
        onStatus("200", "pushId-1")
        phone.awaitSync("1")
        onStatus("200", "pushId-2")
        phone.eventually("the new pushId is registered") { "pushId-2" in phone.boundTokens(4) }
        assertEquals(listOf("pushId-1", "pushId-2"), phone.boundTokens(4))
    }

    @Test
    fun `reports the code of an error`() {
        start()
        onStatus("110000", null)
        phone.eventually("the error is reported") { phone.vendorErrors().any { "code 110000" in it } }
        assertTrue(phone.boundTokens(4).isEmpty())
    }

    @Test
    fun `reports a displayed message if Meizu passes its data`() {
        start()
        phone.listen()
        MeizuPushReceiver().onNotificationArrived(phone.app, MzPushMessage(null))
        MeizuPushReceiver().onNotificationArrived(phone.app, MzPushMessage(Phone.jsonOf(Phone.data("7"))))
        phone.eventually("the receipt is reported") { phone.reports(isClick = false) == listOf("7.0.1") }
        assertTrue(phone.displayedTitles().isEmpty())
    }

    @Test
    fun `finds a tap in the extras of the activity`() {
        start()
        phone.open(Phone.extrasOf(Phone.data("7") + mapOf("platform_extra" to "{}")))
        phone.listen()
        phone.eventually("the tap arrives") { phone.taps.map { it.messageId } == listOf("7") }
    }

    @Test
    fun `unregisters at a logout`() {
        start()
        Carillon.logout()
        phone.eventually("the SDK is unregistered") { VendorCalls.of("PushManager.unRegister").isNotEmpty() }
        assertEquals(listOf("100999", "key"), VendorCalls.of("PushManager.unRegister").single().arguments)
    }

    @Test
    fun `unregisters with the keys of an earlier process, of which the secret is not stored`() {
        phone.api.setData("/push/certificate", JSONObject().put("app_id", "100999").put("app_key", "key").put("app_secret", "secret"))
        start()
        phone.awaitStored("100999")
        assertFalse("secret" in phone.app.noBackupFilesDir.resolve("carillon.json").readText())
        phone.killProcess()
        phone.api.isDown = true
        phone.start(MeizuVendor())
        phone.eventually("the keys are missing") { phone.log.any { "The keys of meizu are missing" in it } }
        Carillon.logout()
        phone.eventually("the SDK is unregistered") { VendorCalls.of("PushManager.unRegister").isNotEmpty() }
        assertEquals(listOf("100999", "key"), VendorCalls.of("PushManager.unRegister").single().arguments)
    }

    @Test
    fun `is not available if the SDK says so or fails`() {
        assertTrue(MeizuVendor().isAvailable(phone.app))
        VendorCalls.setResult("MzSystemUtils.isBrandMeizu", false)
        assertFalse(MeizuVendor().isAvailable(phone.app))
        VendorCalls.setResult("MzSystemUtils.isBrandMeizu", IllegalStateException())
        assertFalse(MeizuVendor().isAvailable(phone.app))
    }
}
