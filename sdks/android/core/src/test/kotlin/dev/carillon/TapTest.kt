package dev.carillon

import android.app.Notification
import android.app.NotificationManager
import android.content.Context
import android.content.Intent
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.junit.Assert.assertEquals
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Taps on notifications that a vendor displayed, and tokens and intents from other apps. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class TapTest {
    @get:Rule
    val phone = StubPhone()

    private class Module(
        override val vendor: Vendor,
        private val isAvailable: Boolean = true,
        private val data: () -> Map<String, String> = { emptyMap() },
    ) : VendorPush {
        var isAsked = false

        override fun isAvailable(context: Context) = isAvailable

        override fun register(context: Context, keys: VendorKeys) = Unit

        override fun dataOfTap(intent: Intent): Map<String, String> {
            isAsked = true
            return data()
        }
    }

    private fun start(vararg modules: VendorPush) {
        phone.start(modules.toList())
        val earlier = phone.gateway.readyCount
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the device is connected") { phone.gateway.readyCount > earlier }
    }

    @Test
    fun `does not display a notification again whose vendor copy was tapped`() {
        start()
        Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7.2.5"))
        phone.eventually("the click is reported") { phone.api.receipts.any { "7.2.5" in "$it" } }
        phone.gateway.publish(1, """{"message_id":"7","reference":"7.1.1","title":"Dinner"}""")
        phone.eventually("the copy is acknowledged") { phone.gateway.acknowledged == listOf(1 to 0) }
        phone.idle()
        assertEquals(emptyList<String>(), phone.displayed())
    }

    @Test
    fun `removes a displayed copy of a notification that was tapped`() {
        start()
        val manager = phone.context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager
        val copy = Notification.Builder(phone.context, "of FCM").setSmallIcon(android.R.drawable.ic_dialog_info).build()
        for (id in listOf("7", "8")) manager.notify(id, 0, copy)
        Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7.2.5"))
        phone.eventually("the copy is removed") { phone.displayed() == listOf("8") }
    }

    @Test
    fun `finds no tap in an intent that a module cannot read, and asks the next module`() {
        for (error in listOf(NoClassDefFoundError("com/example/Message"), IllegalStateException("of the vendor"))) {
            val data = mapOf("mid" to "7", "reference" to "7.2.5")
            start(Module(Vendor.FCM) { throw error }, Module(Vendor.UNIFIED_PUSH) { data })
            assertEquals(true, Carillon.onNewIntent(Intent()))
            Carillon.killForTest()
        }
    }

    @Test
    fun `does not ask the module of another maker for taps`() {
        val xiaomi = Module(Vendor.XIAOMI) { mapOf("mid" to "7") }
        start(xiaomi, Module(Vendor.FCM))
        assertEquals(false, Carillon.onNewIntent(Intent()))
        assertEquals(false, xiaomi.isAsked)
    }

    @Test
    fun `registers a token only of a vendor that is selected on this phone, or that has no module`() {
        start(Module(Vendor.XIAOMI), Module(Vendor.FCM, isAvailable = false))
        Carillon.onVendorToken(Vendor.XIAOMI, "of another app")
        Carillon.onVendorToken(Vendor.FCM, "of another app")
        Carillon.onVendorToken(Vendor.MEIZU, "of this app")
        phone.eventually("a token is registered") { phone.api.calls.any { it.path == "/device/bind" } }
        assertEquals(listOf("of this app"), phone.api.calls.filter { it.path == "/device/bind" }.map { it.body.getString("token") })
    }
}
