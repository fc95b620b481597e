package dev.carillon

import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Bundle
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowBuild

/** Taps on notifications that a vendor's system service displayed, for all vendors that use the extras of an activity. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class VendorTapsTest {
    @get:Rule
    val phone = Phone("HUAWEI")

    private class OtherVendor(
        private val register: () -> Unit = {},
        private val dataOfTap: (Intent) -> Map<String, String> = VendorData::ofExtras,
    ) : VendorPush {
        override val vendor = Vendor.HUAWEI
        override val needsKeys = false

        @Volatile
        var calls = 0

        override fun isAvailable(context: Context): Boolean {
            calls++
            return true
        }

        override fun register(context: Context, keys: VendorKeys) = register()

        override fun dataOfTap(intent: Intent) = dataOfTap.invoke(intent)

        override fun unregister(context: Context, keys: VendorKeys) {
            calls++
        }
    }

    private fun start() {
        phone.start(OtherVendor())
        phone.login()
    }

    private fun tappedIds() = phone.taps.map { it.messageId }

    @Test
    fun `delivers a tap of a cold start to a later listener, and reports it`() {
        start()
        phone.open(Phone.extrasOf(Phone.data("7")))
        phone.listen()
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        assertEquals(7, phone.taps.single().ext.getInt("table"))
        phone.eventually("the tap is reported") { phone.reports(isClick = true) == listOf("7.0.1") }
    }

    @Test
    fun `reports a tap on a page that gets only the extras of an intent URI`() {
        start()
        phone.listen()
        val uri = "intent:#Intent;component=com.example/com.example.Page;S.room=7;S.mid=7;S.reference=7.0.1;end"
        phone.open(Intent.parseUri(uri, Intent.URI_INTENT_SCHEME))
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        assertEquals(0, phone.taps.single().ext.length())
        phone.eventually("the tap is reported") { phone.reports(isClick = true) == listOf("7.0.1") }
    }

    @Test
    fun `counts a tap once if the activity is resumed, recreated or restored`() {
        start()
        phone.listen()
        val activity = phone.open(Phone.extrasOf(Phone.data("7")))
        activity.pause().resume()
        val saved = Bundle()
        activity.saveInstanceState(saved)
        activity.recreate()
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        phone.awaitStored(""""tapped":["7.0.1"]""")
        phone.killProcess()
        start()
        phone.listen()
        Robolectric.buildActivity(Activity::class.java, Phone.extrasOf(Phone.data("7"))).setup(saved)
        phone.open(Phone.extrasOf(Phone.data("7")).addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY))
        phone.open(Phone.extrasOf(Phone.data("8")))
        phone.eventually("the last tap arrives") { "8" in tappedIds() }
        assertEquals(listOf("7", "8"), tappedIds())
    }

    /** Expo passes no saved state to `super.onCreate`, and an activity that was opened by a tap keeps its intent. */
    @Test
    fun `counts a tap once if the activity is restored without its state in another process`() {
        start()
        phone.listen()
        phone.open(Phone.extrasOf(Phone.data("7")))
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        phone.awaitStored(""""tapped":["7.0.1"]""")
        phone.killProcess()
        start()
        phone.listen()
        phone.open(Phone.extrasOf(Phone.data("7")))
        phone.open(Phone.extrasOf(Phone.data("8")))
        phone.eventually("the last tap arrives") { "8" in tappedIds() }
        assertEquals(listOf("7", "8"), tappedIds())
    }

    @Test
    fun `finds a tap that opens a restored activity before the SDK starts`() {
        start()
        phone.listen()
        val saved = Bundle()
        val first = phone.open(Phone.extrasOf(Phone.data("7")))
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        phone.awaitStored(""""tapped":["7.0.1"]""")
        first.saveInstanceState(saved)
        phone.killProcess()
        start()
        phone.listen()
        val restored = Robolectric.buildActivity(Activity::class.java, Phone.extrasOf(Phone.data("7"))).create(saved).start()
        // This is what onNewIntent does with setIntent.
        restored.get().intent = Phone.extrasOf(Phone.data("8"))
        restored.resume()
        phone.eventually("the next tap arrives") { tappedIds() == listOf("7", "8") }
    }

    /** A launcher activity can only open another one. Android never resumes it then. */
    @Test
    fun `finds a tap that opens an activity which finishes immediately, and counts it once`() {
        start()
        phone.listen()
        val tap = Phone.extrasOf(Phone.data("7"))
        Robolectric.buildActivity(LauncherActivity::class.java, tap).create().destroy()
        phone.eventually("the tap arrives") { tappedIds() == listOf("7") }
        Robolectric.buildActivity(LauncherActivity::class.java, tap).create().destroy()
        phone.open(tap)
        phone.open(Phone.extrasOf(Phone.data("8")))
        phone.eventually("the next tap arrives") { tappedIds() == listOf("7", "8") }
        phone.eventually("each tap is reported once") { phone.reports(isClick = true) == listOf("7.0.1", "8.0.1") }
    }

    class LauncherActivity : Activity() {
        override fun onCreate(savedInstanceState: Bundle?) {
            super.onCreate(savedInstanceState)
            finish()
        }
    }

    @Test
    fun `ignores extras that are nested too deeply`() {
        phone.start(OtherVendor(dataOfTap = { throw StackOverflowError() }))
        phone.open(Phone.extrasOf(Phone.data("7")))
        assertFalse(Carillon.onNewIntent(Phone.extrasOf(Phone.data("7"))))
    }

    @Test
    fun `finds a tap that an existing activity receives`() {
        start()
        phone.listen()
        val saved = Bundle()
        phone.open(Intent()).saveInstanceState(saved)
        val restored = Robolectric.buildActivity(Activity::class.java, Intent()).setup(saved)
        restored.pause()
        restored.get().intent = Phone.extrasOf(Phone.data("7"))
        restored.resume()
        assertTrue(Carillon.onNewIntent(Phone.extrasOf(Phone.data("8"))))
        assertFalse("an intent without data", Carillon.onNewIntent(Intent()))
        assertFalse("data of another service", Carillon.onNewIntent(Phone.extrasOf(mapOf("mid" to "x"))))
        phone.eventually("both taps arrive") { tappedIds() == listOf("7", "8") }
    }

    @Test
    fun `reads no intent before start`() {
        phone.open(Phone.extrasOf(Phone.data("7")))
        assertFalse(Carillon.onNewIntent(Phone.extrasOf(Phone.data("7"))))
        start()
        phone.listen()
        phone.open(Phone.extrasOf(Phone.data("8")))
        phone.eventually("only the tap after the start arrives") { tappedIds() == listOf("8") }
    }

    @Test
    fun `reports a vendor SDK that the app does not include`() {
        phone.start(OtherVendor(register = { throw NoClassDefFoundError("com/huawei/hms/aaid/HmsInstanceId") }))
        phone.login()
        phone.eventually("the error is reported") { phone.vendorErrors().any { "HmsInstanceId" in it } }
    }

    @Test
    fun `does not call the SDK of a vendor on a phone of another maker`() {
        ShadowBuild.setManufacturer("Xiaomi")
        ShadowBuild.setBrand("Xiaomi")
        val module = OtherVendor()
        phone.start(module)
        phone.login()
        var isDone = false
        Carillon.logout { isDone = true }
        phone.eventually("the logout has ended") { isDone }
        assertEquals(0, module.calls)
    }
}
