package dev.carillon

import com.huawei.hms.common.ApiException
import com.huawei.hms.push.BaseException
import com.huawei.hms.push.RemoteMessage
import dev.carillon.huawei.HuaweiPushService
import dev.carillon.huawei.HuaweiVendor
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
class HuaweiVendorTest {
    @get:Rule
    val phone = Phone("HUAWEI")

    @Before
    fun prepare() {
        VendorCalls.clear()
        phone.installPackage("com.huawei.hwid")
        phone.api.setData("/push/certificate", JSONObject().put("app_id", "1001"))
    }

    private fun start() {
        phone.start(HuaweiVendor())
        phone.login()
    }

    @Test
    fun `registers a token, and each new one, once`() {
        VendorCalls.setResult("HmsInstanceId.getToken", "token-1")
        start()
        HuaweiPushService().onNewToken("token-1")
        phone.eventually("the token is registered") { phone.boundTokens(2) == listOf("token-1") }
        HuaweiPushService().onNewToken("token-1")
        phone.awaitSync("1")
        HuaweiPushService().onNewToken("")
        HuaweiPushService().onNewToken("token-2")
        phone.eventually("the new token is registered") { "token-2" in phone.boundTokens(2) }
        assertEquals(listOf("token-1", "token-2"), phone.boundTokens(2))
        assertEquals(listOf("1001", "HCM"), VendorCalls.of("HmsInstanceId.getToken").single().arguments)
    }

    @Test
    fun `reads the App ID from the manifest first`() {
        phone.setMetadata("dev.carillon.huawei.app_id" to " 2002")
        VendorCalls.setResult("HmsInstanceId.getToken", "token-1")
        start()
        phone.eventually("the token is registered") { phone.boundTokens(2).isNotEmpty() }
        assertEquals("2002", VendorCalls.of("HmsInstanceId.getToken").single().arguments.first())
        assertTrue(phone.api.callsOf("/push/certificate").isEmpty())
    }

    @Test
    fun `reports the codes of errors`() {
        VendorCalls.setResult("HmsInstanceId.getToken", ApiException(907135000))
        start()
        phone.eventually("the error is reported") { phone.vendorErrors() == listOf("code 907135000") }
        HuaweiPushService().onTokenError(BaseException(907122045))
        phone.eventually("the next error is reported") { phone.vendorErrors() == listOf("code 907122045") }
        HuaweiPushService().onTokenError(IllegalStateException("secret"))
        phone.eventually("the last error is reported") { phone.vendorErrors() == listOf("unknown error") }
        assertFalse("secret" in phone.errorTexts())
        assertTrue(phone.boundTokens(2).isEmpty())
    }

    @Test
    fun `passes on data-only messages, and displays messages of the foreground`() {
        start()
        phone.listen()
        HuaweiPushService().onMessageReceived(RemoteMessage(Phone.dataOnly("7"), null))
        HuaweiPushService().onMessageReceived(RemoteMessage(Phone.data("8"), RemoteMessage.Notification("Dinner", "Now")))
        HuaweiPushService().onMessageReceived(RemoteMessage(mapOf("of" to "another service"), null))
        phone.eventually("both messages arrive") { phone.received.map { it.messageId } == listOf("7", "8") }
        assertTrue(phone.received.first().isDataOnly)
        assertEquals(listOf("Dinner"), phone.displayedTitles())
        phone.eventually("the receipts are reported") { phone.reports(isClick = false).toSet() == setOf("7.0.1", "8.0.1") }
    }

    @Test
    fun `deletes the token at a logout`() {
        VendorCalls.setResult("HmsInstanceId.getToken", "token-1")
        start()
        phone.eventually("the token is registered") { phone.boundTokens(2).isNotEmpty() }
        Carillon.logout()
        phone.eventually("the token is deleted") { VendorCalls.of("HmsInstanceId.deleteToken").isNotEmpty() }
        assertEquals(listOf("1001", "HCM"), VendorCalls.of("HmsInstanceId.deleteToken").single().arguments)
    }

    @Test
    fun `deletes the token that an earlier process has requested`() {
        VendorCalls.setResult("HmsInstanceId.getToken", "token-1")
        start()
        phone.awaitStored("token-1")
        phone.killProcess()
        phone.api.isDown = true
        phone.start(HuaweiVendor())
        phone.eventually("the keys are missing") { phone.log.any { "The keys of huawei are missing" in it } }
        Carillon.logout()
        phone.eventually("the token is deleted") { VendorCalls.of("HmsInstanceId.deleteToken").isNotEmpty() }
        assertEquals(listOf("1001", "HCM"), VendorCalls.of("HmsInstanceId.deleteToken").single().arguments)
    }

    @Test
    fun `repeats a registration at which the SDK throws an exception`() {
        VendorCalls.setResult("HmsInstanceId.getToken", IllegalStateException("1001 is wrong"))
        start()
        phone.eventually("the error is reported") { phone.vendorErrors().any { "IllegalStateException" in it } }
        assertFalse("1001" in phone.vendorErrors().joinToString())
        VendorCalls.setResult("HmsInstanceId.getToken", "token-1")
        phone.idleFor(300)
        phone.eventually("the token is registered") { phone.boundTokens(2) == listOf("token-1") }
    }

    @Test
    fun `is available with HMS Core`() {
        assertTrue(HuaweiVendor().isAvailable(phone.app))
        phone.installPackage("com.huawei.hwid", isEnabled = false)
        assertFalse(HuaweiVendor().isAvailable(phone.app))
    }
}
