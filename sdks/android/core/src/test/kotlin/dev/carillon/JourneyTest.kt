package dev.carillon

import dev.carillon.vendor.Vendor
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Normal use of a phone, against a running Carillon and its simulators. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class JourneyTest {
    private val phone = TestPhone()

    @Before
    fun needsCarillon() = phone.needsCarillon()

    @After
    fun kill() {
        phone.restoreNetwork()
        Carillon.killForTest()
    }

    @Test
    fun `logs in with a password, displays a notification while connected, and counts it once`() {
        phone.start()
        val user = phone.createUser("ada")
        assertFalse(Carillon.isLoggedIn)
        val credentials = phone.await { Carillon.login(user.name, user.password, it) }.getOrThrow()
        assertTrue(Carillon.isLoggedIn)
        phone.eventually("the device is connected") { phone.connections == 1 }
        val taskId = phone.notify(credentials, "Dinner is ready")
        phone.eventually("the notification is displayed") { phone.displayed().size == 1 }
        phone.eventuallyCounted(taskId, "nativepush.received")

        assertTrue(Carillon.onVendorMessage(mapOf("mid" to taskId, "reference" to ""), "Dinner is ready"))
        phone.notify(credentials, "Tea is ready")
        phone.eventually("the next one is displayed") { phone.displayed().size == 2 }
        assertEquals(2, Carillon.badge)
        Carillon.setBadge(0)
        phone.eventually("the badge is set") { Carillon.badge == 0 }
        assertTrue(phone.logged.none { "ready" in it || credentials.accessToken in it || credentials.pushToken in it })
    }

    @Test
    fun `displays the push of a vendor in a killed process, and delivers the tap of the next cold start`() {
        phone.needsControl()
        phone.start()
        val credentials = phone.logIn(phone.createUser("ada"))
        waitForBinding()
        Carillon.killForTest()
        val taskId = phone.notify(credentials, JSONObject().put("title", "Dinner").put("ext", JSONObject().put("table", 7)))
        phone.eventually("FCM has the message") { phone.fcmMessages().size == 1 }

        phone.start()
        assertTrue(phone.receiveThroughFcm(phone.fcmMessages().single()))
        phone.eventually("the notification is displayed") { phone.displayed().size == 1 }
        phone.eventuallyCounted(taskId, "fcm.received")
        val tap = phone.tapIntent(phone.displayed().single())
        Carillon.killForTest()

        phone.tap(tap)
        phone.start()
        Carillon.setListener(phone)
        phone.eventually("the tap is delivered") { phone.taps.size == 1 }
        assertEquals(taskId, phone.taps.single().messageId)
        assertEquals(7, phone.taps.single().ext.getInt("table"))
        phone.eventuallyCounted(taskId, "fcm.clicked")
        val counters = phone.counters(taskId)
        assertEquals(listOf(1, 1, 1, 1), listOf("target", "sent", "received", "clicked").map { counters["fcm.$it"] })
        assertEquals(0, counters["nativepush.received"] ?: 0)
        Carillon.setListener(phone)
        phone.notify(credentials, "After the tap")
        phone.eventually("a later notification arrives") { phone.received.isNotEmpty() }
        assertEquals("a tap is delivered once", 1, phone.taps.size)
    }

    @Test
    fun `registers each vendor token once, also after a restart`() {
        phone.needsControl()
        val before = phone.requestCount("/device/bind")
        phone.start()
        phone.logIn(phone.createUser("ada"))
        waitForBinding()
        assertEquals(1, phone.requestCount("/device/bind") - before)

        Carillon.killForTest()
        phone.start()
        phone.eventually("the device is connected") { phone.connections == 2 }
        phone.fcm.token += "-new"
        repeat(3) { Carillon.onVendorToken(Vendor.FCM, phone.fcm.token) }
        phone.eventually("the new token is registered") { phone.requestCount("/device/bind") - before == 2 }
        val credentials = phone.logIn(phone.createUser("bo"))
        waitForBinding(3 + before)
        Carillon.killForTest()
        phone.notify(credentials, "To the new token")
        phone.eventually("FCM has the message") { phone.fcmMessages().size == 1 }
        assertEquals(3, phone.requestCount("/device/bind") - before)
    }

    @Test
    fun `reports the state of the phone once for each change, and needs no answer`() {
        phone.needsControl()
        val before = phone.requestCount("/device/state")
        phone.start(emptyList())
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.eventually("the state is reported") { phone.requestCount("/device/state") - before == 1 }
        Carillon.onNotificationPermissionResult()
        Carillon.onVendorError(Vendor.HUAWEI, "907135000 ".repeat(100))
        phone.eventually("the error is reported") { phone.requestCount("/device/state") - before == 2 }
        Carillon.onVendorToken(Vendor.HUAWEI, "a-token-after-all-0123456789")
        phone.eventually("the error has ended") { phone.requestCount("/device/state") - before == 3 }
        val taskId = phone.notify(credentials, "Hello")
        phone.eventuallyCounted(taskId, "nativepush.received")
        assertEquals(3, phone.requestCount("/device/state") - before)
    }

    @Test
    fun `keeps data-only notifications until the app listens`() {
        phone.start()
        val credentials = phone.logIn(phone.createUser("ada"))
        val message = JSONObject().put("type", "cmd").put("ext", JSONObject().put("sync", "inbox"))
        val taskId = phone.notify(credentials, message)
        phone.eventuallyCounted(taskId, "nativepush.received")
        assertEquals(0, phone.displayed().size)
        Carillon.killForTest()

        phone.start()
        Carillon.setListener(phone)
        phone.eventually("the data arrives") { phone.received.size == 1 }
        assertEquals("inbox", phone.received.single().ext.getString("sync"))
    }

    @Test
    fun `keeps nothing of a user after the logout`() {
        phone.start()
        val ada = phone.createUser("ada")
        val credentials = phone.logIn(ada)
        phone.notify(credentials, "For Ada")
        phone.eventually("the notification is displayed") { phone.displayed().size == 1 }
        assertTrue(phone.await(Carillon::logout).isSuccess)
        assertEquals(0, phone.displayed().size)
        assertFalse(Carillon.isLoggedIn)
        assertEquals(0, Carillon.badge)
        assertEquals(1, phone.fcm.unregistrations)
        phone.receiveThroughFcm(JSONObject().put("data", JSONObject().put("mid", "7").put("title", "For Ada")))
        val next = phone.logIn(ada)
        assertNotEquals(credentials.pushToken, next.pushToken)
        phone.notify(next, "Again")
        phone.eventually("a notification of the next login is displayed") { phone.displayed().size == 1 }
        assertEquals("Again", phone.displayed().single().notification.extras.getString("android.title"))
    }

    @Test
    fun `repeats a logout that the API did not get`() {
        phone.needsControl()
        phone.start()
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.control("network/down")
        assertTrue(phone.await(Carillon::logout).isFailure)
        assertFalse(Carillon.isLoggedIn)
        Carillon.killForTest()
        phone.control("network/up")
        phone.start()
        phone.eventually("the login has ended") {
            runCatching { phone.api.call("/device/list", JSONObject(), credentials.accessToken) }.isFailure
        }
    }

    /** The API keeps the push token, because it does not know of the logout. */
    @Test
    fun `keeps the next login of the same user, although the logout before it was not sent`() {
        phone.needsControl()
        phone.start()
        Carillon.setListener(phone)
        val ada = phone.createUser("ada")
        val first = phone.logIn(ada)
        phone.control("network/down")
        assertTrue(phone.await(Carillon::logout).isFailure)
        val second = phone.credentialsOf(ada, Carillon.deviceGuid)
        assertEquals(first.pushToken, second.pushToken)
        val states = phone.requestCount("/device/state")
        Carillon.use(second)
        phone.control("network/up")
        phone.eventually("everything is sent", 60) { phone.requestCount("/device/state") > states }
        val taskId = phone.notify(second, "Still logged in")
        phone.eventuallyCounted(taskId, "nativepush.received")

        assertTrue(phone.await(Carillon::logout).isSuccess)
        val third = phone.await { Carillon.login(ada.name, ada.password, it) }.getOrThrow()
        assertNotEquals(second.pushToken, third.pushToken)
        phone.eventuallyCounted(phone.notify(third, "Logged in again"), "nativepush.received")
        assertTrue(Carillon.isLoggedIn)
        assertEquals(0, phone.logouts)
    }

    @Test
    fun `gives nothing of a user to the next one, even without a logout`() {
        phone.needsControl()
        val ada = phone.createUser("ada")
        phone.start()
        val first = phone.logIn(ada)
        waitForBinding()
        phone.notify(first, "For Ada")
        phone.eventually("the notification is displayed") { phone.displayed().size == 1 }
        val tap = phone.tapIntent(phone.displayed().single())
        phone.tap(tap)

        val second = phone.logIn(phone.createUser("bo"))
        assertEquals(0, phone.displayed().size)
        assertEquals(0, Carillon.badge)
        Carillon.setListener(phone)
        phone.eventually("the login of Ada has ended") {
            runCatching { phone.api.call("/device/list", JSONObject(), first.accessToken) }.isFailure
        }
        phone.notify(second, "For Bo")
        phone.eventually("the notification is displayed") { phone.displayed().size == 1 }
        assertEquals(listOf("For Bo"), phone.received.map { it.title })
        assertEquals(emptyList<String>(), phone.taps.map { it.title })
    }

    @Test
    fun `ends the login when the API ends it`() {
        phone.start()
        Carillon.setListener(phone)
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.api.call("/token/logout", JSONObject(), credentials.accessToken)
        phone.eventually("the app is informed") { phone.logouts == 1 }
        assertFalse(Carillon.isLoggedIn)
    }

    private fun waitForBinding(requests: Int? = null) {
        if (requests != null) phone.eventually("$requests calls") { phone.requestCount("/device/bind") == requests }
        val store = phone.context.noBackupFilesDir.resolve("carillon.json")
        phone.eventually("the binding is stored") {
            val state = runCatching { JSONObject(store.readText()) }.getOrNull() ?: return@eventually false
            state.getJSONObject("bindings").optJSONObject("${Vendor.FCM.provider}")?.getString("token") == phone.fcm.token
        }
    }
}
