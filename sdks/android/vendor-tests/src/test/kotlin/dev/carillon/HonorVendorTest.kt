package dev.carillon

import com.hihonor.push.sdk.HonorPushCallback
import com.hihonor.push.sdk.HonorPushDataMsg
import dev.carillon.honor.HonorPushService
import dev.carillon.honor.HonorVendor
import dev.carillon.stubs.VendorCalls
import dev.carillon.vendor.VendorKeys
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
class HonorVendorTest {
    @get:Rule
    val phone = Phone("HONOR")

    @Before
    fun prepare() {
        VendorCalls.clear()
        VendorCalls.setResult("HonorPushClient.checkSupportHonorPush", true)
    }

    @Suppress("UNCHECKED_CAST")
    private fun start(): HonorPushCallback<String> {
        phone.start(HonorVendor())
        phone.login()
        phone.eventually("a token is requested") { VendorCalls.of("HonorPushClient.getPushToken").isNotEmpty() }
        return VendorCalls.of("HonorPushClient.getPushToken").single().arguments.single() as HonorPushCallback<String>
    }

    @Test
    fun `registers a token, and each new one, once`() {
        val callback = start()
        assertEquals(listOf(false), VendorCalls.of("HonorPushClient.init").single().arguments)
        callback.onSuccess("token-1")
        phone.eventually("the token is registered") { phone.boundTokens(8) == listOf("token-1") }
        HonorPushService().onNewToken("token-1")
        phone.awaitSync("1")
        HonorPushService().onNewToken("token-2")
        phone.eventually("the new token is registered") { "token-2" in phone.boundTokens(8) }
        assertEquals(listOf("token-1", "token-2"), phone.boundTokens(8))
        assertTrue("the SDK reads its key itself", phone.api.callsOf("/push/certificate").isEmpty())
    }

    @Test
    fun `reports the code of an error`() {
        start().onFailure(8001003, "secret")
        phone.eventually("the error is reported") { phone.vendorErrors().any { "8001003" in it } }
        assertFalse("secret" in phone.errorTexts())
    }

    @Test
    fun `passes on data-only messages`() {
        start()
        phone.listen()
        HonorPushService().onMessageReceived(HonorPushDataMsg(Phone.jsonOf(Phone.dataOnly("7"))))
        HonorPushService().onMessageReceived(HonorPushDataMsg("not JSON"))
        HonorPushService().onMessageReceived(null)
        phone.eventually("the message arrives") { phone.received.map { it.messageId } == listOf("7") }
        assertEquals(emptyList<String>(), phone.displayedTitles())
        phone.eventually("the receipt is reported") { phone.reports(isClick = false) == listOf("7.0.1") }
    }

    @Test
    fun `deletes the token at a logout`() {
        start()
        Carillon.logout()
        phone.eventually("the token is deleted") { VendorCalls.of("HonorPushClient.deletePushToken").size == 1 }
    }

    @Test
    fun `requests the token of the next user only after the previous one is deleted`() {
        start()
        Carillon.logout()
        phone.login()
        phone.eventually("the token is being deleted") { VendorCalls.of("HonorPushClient.deletePushToken").size == 1 }
        Thread.sleep(200)
        assertEquals(1, VendorCalls.of("HonorPushClient.getPushToken").size)
        (VendorCalls.of("HonorPushClient.deletePushToken").single().arguments.single() as HonorPushCallback<*>).onSuccess(null)
        phone.eventually("a new token is requested") { VendorCalls.of("HonorPushClient.getPushToken").size == 2 }
    }

    @Test
    fun `deletes the token in a process that has not requested it`() {
        VendorCalls.setResult("HonorPushClient.deletePushToken", IllegalStateException("stops the wait"))
        runCatching { HonorVendor().unregister(phone.app, VendorKeys()) }
        assertEquals(listOf("HonorPushClient.init", "HonorPushClient.deletePushToken"), VendorCalls.methods())
    }

    @Test
    fun `is not available if the SDK says so or fails`() {
        assertTrue(HonorVendor().isAvailable(phone.app))
        VendorCalls.setResult("HonorPushClient.checkSupportHonorPush", false)
        assertFalse(HonorVendor().isAvailable(phone.app))
        VendorCalls.setResult("HonorPushClient.checkSupportHonorPush", IllegalStateException())
        assertFalse(HonorVendor().isAvailable(phone.app))
    }
}
