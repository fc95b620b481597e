package dev.carillon

import com.vivo.push.IPushActionListener
import com.vivo.push.listener.IPushRequestListener
import com.vivo.push.model.UPSNotificationMessage
import com.vivo.push.util.VivoPushException
import dev.carillon.stubs.VendorCalls
import dev.carillon.vendor.VendorKeys
import dev.carillon.vivo.VivoPushReceiver
import dev.carillon.vivo.VivoVendor
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
class VivoVendorTest {
    @get:Rule
    val phone = Phone("vivo")

    @Before
    fun prepare() {
        VendorCalls.clear()
        VendorCalls.setResult("PushClient.isSupport", true)
    }

    private fun start(): IPushActionListener {
        phone.start(VivoVendor())
        phone.login()
        phone.eventually("the SDK is turned on") { VendorCalls.of("PushClient.turnOnPush").isNotEmpty() }
        return VendorCalls.of("PushClient.turnOnPush").single().arguments.single() as IPushActionListener
    }

    @Suppress("UNCHECKED_CAST")
    private fun regIdListener() =
        VendorCalls.of("PushClient.getRegId").last().arguments.single() as IPushRequestListener<String, Int>

    private fun message(id: String) = UPSNotificationMessage("Dinner", "Now", Phone.data(id))

    @Test
    fun `registers a regId, and each new one, once`() {
        start().onStateChanged(0)
        assertEquals(listOf(true), VendorCalls.of("PushClient.initialize").single().arguments)
        // The SDK calls the method of the generic interface.
        regIdListener().onSuccess("regId-1")
        phone.eventually("the regId is registered") { phone.boundTokens(5) == listOf("regId-1") }
        VivoPushReceiver().onReceiveRegId(phone.app, "regId-1")
        phone.awaitSync("1")
        VivoPushReceiver().onReceiveRegId(phone.app, "regId-2")
        phone.eventually("the new regId is registered") { "regId-2" in phone.boundTokens(5) }
        assertEquals(listOf("regId-1", "regId-2"), phone.boundTokens(5))
        assertTrue("the SDK reads its keys itself", phone.api.callsOf("/push/certificate").isEmpty())
    }

    @Test
    fun `reports the codes of errors`() {
        val listener = start()
        listener.onStateChanged(1005)
        phone.eventually("the error is reported") { phone.vendorErrors() == listOf("code 1005") }
        assertTrue("no regId is requested", VendorCalls.of("PushClient.getRegId").isEmpty())
        listener.onStateChanged(1)
        regIdListener().onFail(10000)
        phone.eventually("the last error is reported") { phone.vendorErrors().any { "code 10000" in it } }
        assertTrue(phone.boundTokens(5).isEmpty())
    }

    @Test
    fun `reports an app without keys in its manifest`() {
        VendorCalls.setResult("PushClient.initialize", VivoPushException())
        phone.start(VivoVendor())
        phone.login()
        phone.eventually("the error is reported") { phone.vendorErrors().any { "VivoPushException" in it } }
        assertTrue(VendorCalls.of("PushClient.turnOnPush").isEmpty())
    }

    @Test
    fun `displays a message of the foreground, and counts a tap once`() {
        start()
        phone.listen()
        VivoPushReceiver().onForegroundMessageArrived(message("7"))
        phone.eventually("the message is displayed") { phone.displayedTitles() == listOf("Dinner") }
        phone.eventually("the receipt is reported") { phone.reports(isClick = false) == listOf("7.0.1") }
        VivoPushReceiver().onNotificationMessageClicked(phone.app, message("8"))
        phone.eventually("the tap arrives") { phone.taps.map { it.messageId } == listOf("8") }
        phone.open(Phone.extrasOf(Phone.data("8")))
        phone.open(Phone.extrasOf(Phone.data("9")))
        phone.eventually("the taps arrive") { phone.taps.map { it.messageId } == listOf("8", "9") }
    }

    @Test
    fun `turns the SDK off at a logout`() {
        start()
        Carillon.logout()
        phone.eventually("the SDK is turned off") { VendorCalls.of("PushClient.turnOffPush").size == 1 }
    }

    @Test
    fun `turns the SDK off in a process that has not registered`() {
        VivoVendor().unregister(phone.app, VendorKeys())
        assertEquals(listOf("PushClient.initialize", "PushClient.turnOffPush"), VendorCalls.methods())
    }

    @Test
    fun `is not available if the SDK says so or fails`() {
        assertTrue(VivoVendor().isAvailable(phone.app))
        VendorCalls.setResult("PushClient.isSupport", false)
        assertFalse(VivoVendor().isAvailable(phone.app))
        VendorCalls.setResult("PushClient.isSupport", IllegalStateException())
        assertFalse(VivoVendor().isAvailable(phone.app))
    }
}
