package dev.carillon

import android.app.Notification
import android.app.NotificationManager
import android.content.Context
import android.content.Intent
import android.os.BadParcelableException
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData
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
    fun `ignores a tap without a valid reference, which the API would reject with all others`() {
        start()
        for (reference in listOf("", "7 1", "7/1", "7".repeat(65), "7.1.1\u0000"))
            assertEquals(reference, false, Carillon.onVendorTap(mapOf("mid" to "7", "reference" to reference)))
        assertEquals(false, Carillon.onVendorTap(mapOf("mid" to "7")))
        assertEquals(true, Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7".repeat(64))))
    }

    @Test
    fun `ignores a message that is longer than any message of Carillon`() {
        start()
        for (key in listOf("title", "ext", "intent", "of another app")) {
            val data = mapOf("mid" to "7", "reference" to "7.1.1", key to "x".repeat(66_560))
            assertEquals(key, false, Carillon.onVendorTap(data) || Carillon.onVendorMessage(data) || Carillon.onVendorDisplayed(data))
        }
    }

    @Test
    fun `reads only the extras of Carillon, and those that can be read`() {
        val intent =
            object : Intent() {
                val read = mutableListOf<String>()

                override fun getExtras() = error("All extras are read.")

                override fun getStringExtra(name: String): String? {
                    read.add(name)
                    return when (name) {
                        "title" -> throw BadParcelableException("an unknown class")
                        "body" -> throw StackOverflowError()
                        "mid", "reference", "of another app" -> "7"
                        else -> null
                    }
                }
            }
        assertEquals(mapOf("mid" to "7", "reference" to "7"), VendorData.ofExtras(intent))
        assertEquals(true, intent.read.isNotEmpty())
    }

    @Test
    fun `reports no error of a vendor that is not selected on this phone`() {
        start(Module(Vendor.XIAOMI), Module(Vendor.FCM))
        Carillon.onVendorError(Vendor.XIAOMI, "of another app")
        Carillon.onVendorError(Vendor.FCM, "of this app")
        phone.eventually("the error is reported") { phone.api.calls.any { it.path == "/device/state" && "of this app" in "${it.body}" } }
        assertEquals(false, phone.api.calls.any { "of another app" in "${it.body}" })
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
