package dev.carillon

import com.heytap.msp.push.callback.ICallBackResultService
import dev.carillon.oppo.OppoVendor
import dev.carillon.stubs.VendorCalls
import dev.carillon.vendor.VendorKeys
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
class OppoVendorTest {
    @get:Rule
    val phone = Phone("OnePlus")

    @Before
    fun prepare() {
        VendorCalls.clear()
        VendorCalls.setResult("HeytapPushManager.isSupportPush", true)
        phone.api.setData("/push/certificate", JSONObject().put("app_key", "key").put("app_secret", "secret"))
    }

    private fun start(): ICallBackResultService {
        phone.start(OppoVendor())
        phone.login()
        phone.eventually("the SDK is registered") { VendorCalls.of("HeytapPushManager.register").isNotEmpty() }
        val arguments = VendorCalls.of("HeytapPushManager.register").single().arguments
        assertEquals(listOf("key", "secret"), arguments.take(2))
        return arguments.last() as ICallBackResultService
    }

    @Test
    fun `registers a registration ID, and each new one, once`() {
        val callback = start()
        callback.onRegister(0, "id-1", "shop", null)
        phone.eventually("the ID is registered") { phone.boundTokens(6) == listOf("id-1") }
        callback.onRegister(0, "id-1", "shop", null)
        phone.awaitSync("1")
        callback.onRegister(0, "id-2", "shop", null)
        phone.eventually("the new ID is registered") { "id-2" in phone.boundTokens(6) }
        assertEquals(listOf("id-1", "id-2"), phone.boundTokens(6))
    }

    @Test
    fun `reports the codes of errors`() {
        val callback = start()
        callback.onRegister(14, "id-1", "shop", null)
        phone.eventually("the error is reported") { phone.vendorErrors() == listOf("code 14") }
        callback.onRegister(0, null, "shop", null)
        phone.eventually("the next error is reported") { phone.vendorErrors() == listOf("code 0") }
        callback.onError(-2, "secret", "shop", null)
        phone.eventually("the last error is reported") { phone.vendorErrors() == listOf("code -2") }
        assertFalse("secret" in phone.errorTexts())
        assertTrue(phone.boundTokens(6).isEmpty())
    }

    @Test
    fun `finds a tap in the extras of the activity`() {
        start()
        phone.open(Phone.extrasOf(Phone.data("7")))
        phone.listen()
        phone.eventually("the tap arrives") { phone.taps.map { it.messageId } == listOf("7") }
    }

    @Test
    fun `unregisters at a logout`() {
        start()
        Carillon.logout()
        phone.eventually("the SDK is unregistered") { VendorCalls.of("HeytapPushManager.unRegister").size == 1 }
    }

    @Test
    fun `unregisters in a process that has not registered`() {
        OppoVendor().unregister(phone.app, VendorKeys())
        assertEquals(listOf("HeytapPushManager.init", "HeytapPushManager.unRegister"), VendorCalls.methods())
    }

    @Test
    fun `is not available if the SDK says so or fails`() {
        assertTrue(OppoVendor().isAvailable(phone.app))
        VendorCalls.setResult("HeytapPushManager.isSupportPush", false)
        assertFalse(OppoVendor().isAvailable(phone.app))
        VendorCalls.setResult("HeytapPushManager.isSupportPush", IllegalStateException())
        assertFalse(OppoVendor().isAvailable(phone.app))
    }
}
