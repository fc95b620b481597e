package dev.carillon

import android.content.ComponentName
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.ActivityInfo
import dev.carillon.unifiedpush.UnifiedPushService
import dev.carillon.unifiedpush.UnifiedPushVendor
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.unifiedpush.android.connector.FailedReason
import org.unifiedpush.android.connector.UnifiedPush
import org.unifiedpush.android.connector.data.PublicKeySet
import org.unifiedpush.android.connector.data.PushEndpoint
import org.unifiedpush.android.connector.data.PushMessage
import org.unifiedpush.android.connector.keys.KeyManager

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class UnifiedPushVendorTest {
    @get:Rule
    val phone = Phone("Fairphone")

    /** Keeps fixed keys, because Robolectric has no key store of Android. */
    private object Keys : KeyManager {
        override fun decrypt(instance: String, sealed: ByteArray): ByteArray = sealed

        override fun generate(instance: String) {}

        override fun getPublicKeySet(instance: String) = PublicKeySet("BCVx", "BTBZ")

        override fun exists(instance: String) = true

        override fun delete(instance: String) {}
    }

    @Before
    fun prepare() {
        phone.api.setData("/push/certificate", JSONObject().put("app_key", VAPID))
    }

    private fun installDistributor(name: String) {
        phone.installPackage(name)
        val receiver = ActivityInfo()
        receiver.packageName = name
        receiver.name = "$name.Receiver"
        receiver.exported = true
        shadowOf(phone.app.packageManager).addOrUpdateReceiver(receiver)
        shadowOf(phone.app.packageManager)
            .addIntentFilterForReceiver(ComponentName(name, receiver.name), IntentFilter(REGISTER))
    }

    private fun start() {
        phone.start(UnifiedPushVendor { Keys })
        phone.login()
    }

    private fun registrations(): List<Intent> = shadowOf(phone.app).broadcastIntents.filter { it.action == REGISTER }

    @Test
    fun `registers at the only distributor with the VAPID key of Carillon`() {
        installDistributor("io.ntfy")
        start()
        phone.eventually("the distributor gets a registration") { registrations().isNotEmpty() }
        assertEquals("io.ntfy", registrations().single().`package`)
        assertEquals(VAPID, registrations().single().getStringExtra("vapid"))
    }

    @Test
    fun `registers each new endpoint with its keys, and removes it when the distributor ends it`() {
        installDistributor("io.ntfy")
        start()
        val service = UnifiedPushService()
        for ((path, count) in listOf("up1" to 1, "up1" to 1, "up2" to 2)) {
            service.onNewEndpoint(PushEndpoint("https://ntfy.sh/$path", PublicKeySet("BCVx", "BTBZ"), false), "default")
            phone.eventually("the endpoint is registered") { phone.boundTokens(10).size == count }
        }
        val subscriptions = phone.boundTokens(10).map(::JSONObject)
        assertEquals(listOf("https://ntfy.sh/up1", "https://ntfy.sh/up2"), subscriptions.map { it.getString("endpoint") })
        assertEquals("BCVx", subscriptions.first().getJSONObject("keys").getString("p256dh"))
        assertEquals("BTBZ", subscriptions.first().getJSONObject("keys").getString("auth"))
        service.onUnregistered("default")
        phone.eventually("the endpoint is removed") { phone.api.callsOf("/device/unbind").isNotEmpty() }
        assertEquals(10, phone.api.callsOf("/device/unbind").single().body.getInt("provider"))
    }

    @Test
    fun `reports errors`() {
        installDistributor("io.ntfy")
        installDistributor("org.nextpush")
        start()
        phone.eventually("the user must choose") { phone.vendorErrors().any { "must choose a distributor" in it } }
        UnifiedPushService().onRegistrationFailed(FailedReason.VAPID_REQUIRED, "default")
        phone.eventually("the error is reported") { phone.vendorErrors() == listOf("VAPID_REQUIRED") }
        UnifiedPushService().onNewEndpoint(PushEndpoint("https://ntfy.sh/up1", null, false), "default")
        phone.eventually("the last error is reported") { phone.vendorErrors().any { "no keys" in it } }
        assertTrue(registrations().isEmpty() && phone.boundTokens(10).isEmpty())
    }

    @Test
    fun `displays a declarative push message, and ignores everything else`() {
        installDistributor("io.ntfy")
        start()
        phone.listen()
        val message =
            """{"web_push":8030,"notification":{"title":"Dinner","body":"Now","tag":"7","app_badge":3,
              "data":{"mid":"7","reference":"7.0.1","ext":{"table":7}}},"mutable":true}"""
        val service = UnifiedPushService()
        service.onMessage(PushMessage("not JSON".toByteArray(), true), "default")
        service.onMessage(PushMessage(message.replace("\"7\"", "\"8\"").toByteArray(), false), "default")
        service.onMessage(PushMessage(message.toByteArray(), true), "default")
        phone.eventually("the message is displayed") { phone.displayedTitles() == listOf("Dinner") }
        assertEquals(7, phone.received.single().ext.getInt("table"))
        assertFalse(phone.received.single().isDataOnly)
        phone.eventually("the receipt is reported") { phone.reports(isClick = false) == listOf("7.0.1") }
    }

    /** Carillon sends absolute badges through UnifiedPush, and counts on from the reported one. */
    @Test
    fun `reports the badge that the app sets`() {
        installDistributor("io.ntfy")
        start()
        Carillon.setBadge(2)
        UnifiedPushService().onNewEndpoint(PushEndpoint("https://ntfy.sh/up1", PublicKeySet("BCVx", "BTBZ"), false), "default")
        phone.eventually("the badge is reported") { phone.api.callsOf("/device/badge").map { it.body.getInt("badge") } == listOf(2) }
        Carillon.setBadge(0)
        phone.eventually("the next one is reported") { phone.api.callsOf("/device/badge").map { it.body.getInt("badge") } == listOf(2, 0) }
        phone.awaitSync("9")
        assertEquals(2, phone.api.callsOf("/device/badge").size)
    }

    @Test
    fun `unregisters at a logout`() {
        installDistributor("io.ntfy")
        start()
        phone.eventually("the distributor gets a registration") { registrations().isNotEmpty() }
        Carillon.logout()
        phone.eventually("the distributor gets the end") { shadowOf(phone.app).broadcastIntents.any { it.action == UNREGISTER } }
    }

    @Test
    fun `keeps the distributor that the user has chosen for the next login`() {
        installDistributor("io.ntfy")
        installDistributor("org.nextpush")
        UnifiedPush.saveDistributor(phone.app, "org.nextpush")
        start()
        phone.eventually("the distributor gets a registration") { registrations().size == 1 }
        Carillon.logout()
        phone.eventually("the distributor gets the end") { shadowOf(phone.app).broadcastIntents.any { it.action == UNREGISTER } }
        phone.login()
        phone.eventually("the distributor gets the next registration") { registrations().size == 2 }
        assertEquals(listOf("org.nextpush", "org.nextpush"), registrations().map { it.`package` })
    }

    @Test
    fun `is available with a distributor`() {
        assertFalse(UnifiedPushVendor().isAvailable(phone.app))
        installDistributor("io.ntfy")
        assertTrue(UnifiedPushVendor().isAvailable(phone.app))
    }

    private companion object {
        const val REGISTER = "org.unifiedpush.android.distributor.REGISTER"
        const val UNREGISTER = "org.unifiedpush.android.distributor.UNREGISTER"
        const val VAPID = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    }
}
