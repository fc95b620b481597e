package dev.carillon

import android.content.Context
import android.os.Looper
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Semaphore
import kotlin.concurrent.thread

/** Logouts, changes of the user, and stops, while something else is running. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class UserChangeTest {
    @get:Rule
    val phone = StubPhone()
    private val ada = Credentials("access-a", "push-a")
    private val bo = Credentials("access-b", "push-b")

    /** A module that records its calls, and fails until [hasNetwork]. */
    private class RecordingVendor(@Volatile var hasNetwork: Boolean = true) : VendorPush {
        override val vendor = Vendor.FCM
        override val needsKeys = false
        val calls = CopyOnWriteArrayList<String>()

        override fun isAvailable(context: Context) = true

        override fun register(context: Context, keys: VendorKeys) {
            calls.add("register")
            if (hasNetwork) Carillon.onVendorToken(vendor, "token") else Carillon.onVendorError(vendor, "no network")
        }

        /** Has a permit while the servers of the vendor respond. */
        val isReachable = Semaphore(1)

        override fun unregister(context: Context, keys: VendorKeys) {
            calls.add("unregister")
            isReachable.acquire()
            isReachable.release()
        }
    }

    private fun startConnected(vendors: List<VendorPush> = emptyList()) {
        phone.start(vendors)
        Carillon.use(ada)
        phone.eventually("the device is connected") { phone.gateway.readyCount == 1 }
    }

    private fun logoutCalls() = phone.api.calls.filter { it.path == "/token/logout" }.map { it.accessToken }

    @Test
    fun `passes nothing of the previous user to the app, even if it waits for the main thread`() {
        Carillon.setListener(phone)
        startConnected()
        phone.receiveThroughVendor("7")
        Carillon.use(bo)
        phone.receiveThroughVendor("8")
        phone.idle()
        assertEquals(listOf("8"), phone.received)
        assertEquals(listOf("8"), phone.displayed())
        assertEquals(1, Carillon.badge)
    }

    @Test
    fun `ignores messages of vendors that were sent to the previous user, until a token of the next user is registered`() {
        val vendor = RecordingVendor()
        startConnected(listOf(vendor))
        phone.eventually("the token is registered") { phone.api.calls.any { it.path == "/device/bind" } }
        phone.receiveThroughVendor("7")
        phone.eventually("a message of this user is displayed") { phone.displayed() == listOf("7") }
        vendor.isReachable.drainPermits()
        Carillon.logout()
        Carillon.use(bo)
        phone.receiveThroughVendor("8")
        thread { Carillon.onVendorDisplayed(mapOf("mid" to "9", "reference" to "9.1.1")) }.join()
        phone.idle()
        assertEquals(emptyList<String>(), phone.displayed())
        assertEquals(0, Carillon.badge)
        vendor.isReachable.release()
        phone.eventually("the token of the next user is registered") {
            phone.api.calls.any { it.path == "/device/bind" && it.accessToken == bo.accessToken }
        }
        phone.receiveThroughVendor("10")
        phone.eventually("its receipt is sent") { phone.api.accepted.any { "10.1.1" in "$it" } }
        assertEquals(listOf("10"), phone.displayed())
        assertFalse(phone.api.receipts.any { "8.1.1" in "$it" || "9.1.1" in "$it" })
    }

    @Test
    fun `displays nothing after a stop`() {
        Carillon.setListener(phone)
        startConnected()
        phone.receiveThroughVendor("7")
        Carillon.stop()
        phone.idle()
        assertEquals(emptyList<String>(), phone.received + phone.displayed())
    }

    @Test
    fun `does not record a notification before it is displayed, because the process can end`() {
        startConnected()
        phone.receiveThroughVendor("7")
        assertEquals(listOf("7.1.1"), phone.stored().getJSONObject("reports").getJSONArray("receipts").let { list -> List(list.length(), list::getString) })
        assertEquals("[]", phone.stored().getJSONArray("seen").toString())
        phone.idle()
        phone.eventually("the notification is recorded") { phone.stored().getJSONArray("seen").toString() == "[\"7\"]" }
    }

    @Test
    fun `sends no report of the next user with the login of the previous one`() {
        startConnected()
        phone.api.onCall = { call ->
            if (call.path == "/device/receipt" && call.accessToken == ada.accessToken) {
                Carillon.use(bo)
                Carillon.onVendorDisplayed(mapOf("mid" to "8", "reference" to "8.1.1"))
            }
        }
        Carillon.onVendorDisplayed(mapOf("mid" to "7", "reference" to "7.1.1"))
        phone.eventually("the report of the next user is sent") { phone.api.receipts.any { "8.1.1" in "$it" } }
        val tokens = phone.api.calls.filter { "8.1.1" in "${it.body}" }.map { it.accessToken }
        assertEquals(setOf(bo.accessToken), tokens.toSet())
    }

    @Test
    fun `registers the vendor for a user who logs in immediately after a logout`() {
        val vendor = RecordingVendor()
        startConnected(listOf(vendor))
        phone.eventually("the vendor is registered") { vendor.calls == listOf("register") }
        phone.gateway.close()
        Carillon.logout()
        Carillon.use(bo)
        phone.eventually("the vendor is registered again") { vendor.calls == listOf("register", "unregister", "register") }
    }

    @Test
    fun `passes each vendor token to the listener when it is registered`() {
        Carillon.setListener(phone)
        startConnected(listOf(RecordingVendor()))
        phone.eventually("the token is passed") { phone.tokens == listOf("FCM token") }
        Carillon.onVendorToken(Vendor.FCM, "token")
        Carillon.onVendorToken(Vendor.FCM, "token-2")
        phone.eventually("the next token is passed, and no repeat") { phone.tokens == listOf("FCM token", "FCM token-2") }
        Carillon.use(bo)
        phone.eventually("it is registered for the next user") { phone.tokens.drop(2) == listOf("FCM token-2") }
    }

    @Test
    fun `passes no vendor token of the previous user to the listener`() {
        Carillon.setListener(phone)
        phone.api.onCall = { if (it.path == "/device/bind" && it.accessToken == ada.accessToken) Carillon.logout() }
        startConnected(listOf(RecordingVendor()))
        phone.eventually("the logout is sent") { logoutCalls() == listOf(ada.accessToken) }
        phone.idle()
        assertEquals(emptyList<String>(), phone.tokens)
    }

    @Test
    fun `repeats a failed registration when a network appears, at most five times`() {
        val vendor = RecordingVendor(hasNetwork = false)
        startConnected(listOf(vendor))
        for (id in 1..10) {
            phone.findNetwork(id)
            val calls = vendor.calls.size
            repeat(20) { if (vendor.calls.size == calls) Thread.sleep(10) }
        }
        assertEquals(5, vendor.calls.size)
        Carillon.logout()
        phone.eventually("the vendor is unregistered") { vendor.calls.last() == "unregister" }
        vendor.hasNetwork = true
        Carillon.use(bo)
        phone.eventually("the token is registered") { phone.api.calls.any { it.path == "/device/bind" } }
        assertEquals("register", vendor.calls.last())
    }

    @Test
    fun `repeats a failed registration on another network that blocks the gateway`() {
        val vendor = RecordingVendor(hasNetwork = false)
        phone.gateway.close()
        phone.start(listOf(vendor))
        Carillon.use(ada)
        phone.eventually("the registration has failed") { phone.stored().getJSONObject("vendor_errors").length() == 1 }
        for (id in 1..2) {
            phone.eventually("the registration is repeated") {
                // The failure of the previous attempt can still be waiting for its thread.
                phone.findNetwork(id)
                vendor.calls.size > id
            }
        }
    }

    @Test
    fun `repeats a failed registration later, while the device stays connected`() {
        val vendor = RecordingVendor(hasNetwork = false)
        startConnected(listOf(vendor))
        phone.eventually("the registration has failed") { phone.stored().getJSONObject("vendor_errors").length() == 1 }
        val before = vendor.calls.size
        vendor.hasNetwork = true
        phone.eventually("the token is registered") {
            shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(10))
            phone.api.calls.any { it.path == "/device/bind" }
        }
        assertEquals(before + 1, vendor.calls.size)
        assertEquals(1, phone.gateway.readyCount)
    }

    @Test
    fun `does not use a login that a logout or another login has overtaken`() {
        for (change in listOf<() -> Unit>({ Carillon.logout() }, { Carillon.use(bo) })) {
            phone.api.calls.clear()
            phone.start()
            Carillon.use(ada)
            phone.api.loginData = """{"token":"access-late","push_token":"push-late"}"""
            phone.api.onCall = { if (it.path == "/token/login") change() }
            var result: Result<Credentials>? = null
            Carillon.login("cy", "nine bells at noon") { result = it }
            phone.eventually("the login has ended") { result != null }
            assertTrue("$result", requireNotNull(result).isFailure)
            phone.eventually("the unused token is logged out") { "access-late" in logoutCalls() }
            assertFalse(Carillon.pushToken == "push-late")
            phone.api.onCall = {}
            Carillon.killForTest()
        }
    }

    /** The API keeps the push token while the earlier login exists, and a logout ends all logins with this push token. */
    @Test
    fun `keeps the next login of the same user, although the logout before it was not sent`() {
        val logins = StubLogins()
        phone.api.logins = logins
        Carillon.setListener(phone)
        val changes =
            listOf<() -> Unit>(
                { Carillon.use(logins.logIn()) },
                { assertTrue(logIn().isSuccess) },
                {
                    Carillon.use(bo)
                    Carillon.use(logins.logIn())
                },
            )
        phone.start()
        for (logInAgain in changes) {
            val first = logins.logIn()
            Carillon.use(first)
            phone.eventually("the state is reported") { phone.api.calls.any { it.path == "/device/state" && it.accessToken == first.accessToken } }
            phone.api.unavailable += "/token/logout"
            var result: Result<Unit>? = null
            Carillon.logout { result = it }
            phone.eventually("the logout has failed") { result?.isFailure == true }
            logInAgain()
            val earlier = phone.api.calls.size
            phone.api.unavailable.clear()
            Carillon.onVendorDisplayed(mapOf("mid" to "${earlier}7", "reference" to "${earlier}7.1.1"))
            phone.eventually("a receipt is accepted") { phone.api.accepted.any { "${earlier}7.1.1" in "$it" } }
            assertEquals("the same push token", first.pushToken, Carillon.pushToken)
            assertEquals(0, phone.logouts)
            assertFalse(first.accessToken in phone.api.calls.drop(earlier).filter { it.path == "/token/logout" }.map { it.accessToken })
            result = null
            Carillon.logout { result = it }
            phone.eventually("the logout is sent") { result?.isSuccess == true }
        }
    }

    @Test
    fun `sends a logout before the login that follows immediately`() {
        phone.api.logins = StubLogins()
        phone.start()
        Carillon.setListener(phone)
        val first = logIn().getOrThrow()
        Carillon.logout()
        val second = logIn().getOrThrow()
        assertFalse("the device has a new push token", first.pushToken == second.pushToken)
        assertEquals(listOf(first.accessToken), logoutCalls())
        phone.eventually("the next login is used") {
            phone.api.calls.any { it.path == "/device/state" && it.accessToken == second.accessToken }
        }
        phone.eventually("no job is left") { phone.jobs().isEmpty() }
        assertTrue(Carillon.isLoggedIn)
        assertEquals(0, phone.logouts)
    }

    /** Each call can take 40 seconds, and the user waits for the login. */
    @Test
    fun `tries only one logout before a login if the API fails`() {
        phone.start()
        phone.api.unavailable += "/token/logout"
        for (number in 1..3) Carillon.use(Credentials("access-$number", "push-$number"))
        var result: Result<Unit>? = null
        Carillon.logout { result = it }
        phone.eventually("the logouts have failed") { result?.isFailure == true && logoutCalls().distinct().size == 3 }
        phone.api.loginData = """{"token":"access-4","push_token":"push-4"}"""
        phone.api.calls.clear()
        assertTrue(logIn().isSuccess)
        assertEquals(listOf("/token/logout", "/token/login"), phone.api.calls.take(2).map { it.path })
    }

    private fun logIn(): Result<Credentials> {
        var result: Result<Credentials>? = null
        Carillon.login("ada", "nine bells at noon") { result = it }
        phone.eventually("the login has ended") { result != null }
        return requireNotNull(result)
    }

    @Test
    fun `starts no job for a report that is sent immediately`() {
        startConnected()
        phone.api.respond(50003)
        phone.receiveThroughVendor("7")
        phone.eventually("a job is waiting") { phone.jobs().size == 1 }
        assertEquals(30_000, phone.jobs().single().minLatencyMillis)
    }

    @Test
    fun `sends a logout although the SDK is stopped immediately after it`() {
        val vendor = RecordingVendor()
        startConnected(listOf(vendor))
        Carillon.logout()
        Carillon.stop()
        phone.eventually("the API knows of the logout") { logoutCalls() == listOf(ada.accessToken) }
        phone.eventually("the vendor is unregistered") { "unregister" in vendor.calls }
        assertFalse(Carillon.isStarted)
        phone.eventually("no job starts the app again") { phone.jobs().isEmpty() }
    }

    @Test
    fun `keeps everything if it is stopped and started again immediately`() {
        startConnected()
        for (login in listOf(bo, ada, bo)) {
            Carillon.use(login)
            Carillon.setBadge(3)
            Carillon.stop()
            phone.start()
            assertTrue(Carillon.isLoggedIn)
            Carillon.logout()
            Carillon.stop()
            phone.start()
            assertFalse(Carillon.isLoggedIn)
        }
    }

    @Test
    fun `does not connect after a stop if a login was still running`() {
        phone.start()
        phone.api.loginData = """{"token":"access-a","push_token":"push-a"}"""
        phone.api.onCall = { if (it.path == "/token/login") Carillon.stop() }
        var result: Result<Credentials>? = null
        Carillon.login("ada", "nine bells at noon") { result = it }
        phone.eventually("the login has ended") { result != null }
        assertTrue("$result", requireNotNull(result).isFailure)
        Thread.sleep(300)
        assertEquals(0, phone.gateway.readyCount)
    }

    @Test
    fun `sends a logout while a vendor still unregisters, and registers the next user after that`() {
        val vendor = RecordingVendor()
        startConnected(listOf(vendor))
        phone.eventually("the vendor is registered") { vendor.calls == listOf("register") }
        vendor.isReachable.drainPermits()
        var isDone = false
        Carillon.logout { isDone = true }
        Carillon.use(bo)
        phone.eventually("the logout has ended") { isDone }
        assertEquals(listOf(ada.accessToken), logoutCalls())
        phone.eventually("the vendor is called") { vendor.calls == listOf("register", "unregister") }
        vendor.isReachable.release()
        phone.eventually("the vendor is registered again") { vendor.calls == listOf("register", "unregister", "register") }
    }

    @Test
    fun `reports the end of a login to the app in a later process`() {
        startConnected()
        phone.api.respond(10008)
        phone.receiveThroughVendor("7")
        phone.eventually("the login has ended") { !phone.stored().has("credentials") }
        Carillon.killForTest()
        phone.start()
        Carillon.setListener(phone)
        phone.eventually("the end is reported") { phone.logouts == 1 }
        phone.eventually("it is stored") { !phone.stored().getBoolean("logout_unseen") }
        Carillon.killForTest()
        phone.start()
        Carillon.setListener(phone)
        Carillon.onVendorTap(mapOf("mid" to "8", "reference" to "8.1.1"))
        phone.eventually("later events arrive") { phone.taps == listOf("8") }
        assertEquals(1, phone.logouts)
    }

    @Test
    fun `starts no job for reports while no user is logged in`() {
        startConnected()
        phone.api.respond(10008)
        phone.receiveThroughVendor("7")
        phone.eventually("the login has ended") { !Carillon.isLoggedIn }
        assertTrue("the receipt is kept", "7.1.1" in phone.stored().getJSONObject("reports").toString())
        phone.eventually("no job is left") { phone.jobs().isEmpty() }
        var isDone: Boolean? = null
        Carillon.sendReports { isDone = it }
        phone.eventually("the job ends") { isDone != null }
        assertEquals("the job is not repeated", true, isDone)
        phone.api.accept()
        Carillon.use(Credentials("access-new", ada.pushToken))
        phone.eventually("the receipt is sent with the next login") { phone.api.accepted.any { "7.1.1" in "$it" } }
    }

    @Test
    fun `ends a job whose reports were the last of an ended login`() {
        startConnected()
        phone.api.respond(50003)
        phone.receiveThroughVendor("7")
        phone.eventually("a job is waiting") { phone.api.receipts.isNotEmpty() && phone.jobs().size == 1 }
        phone.api.respond(10008)
        var isDone: Boolean? = null
        Carillon.sendReports { isDone = it }
        phone.eventually("the job ends") { isDone != null }
        assertEquals("the job is not repeated", true, isDone)
    }

    @Test
    fun `leaves no job after a logout that the API has accepted`() {
        startConnected()
        var isDone = false
        Carillon.logout { isDone = true }
        phone.eventually("the logout has ended") { isDone }
        phone.eventually("no job is left") { phone.jobs().isEmpty() }
    }

    @Test
    fun `delivers the taps of an earlier process to a listener that was set before the start`() {
        startConnected()
        Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7.1.1"))
        phone.eventually("the tap is stored") { phone.stored().getJSONArray("taps").length() == 1 }
        repeat(20) {
            phone.idle()
            Thread.sleep(10)
        }
        Carillon.killForTest()
        Carillon.setListener(phone)
        phone.start()
        phone.eventually("the tap is delivered") { phone.taps == listOf("7") }
    }

    /** Android destroys an activity after the creation of the next one. */
    @Test
    fun `removes the listener of an activity, but not that of the next one`() {
        val former = object : CarillonListener {}
        startConnected()
        Carillon.setListener(former)
        Carillon.setListener(phone)
        Carillon.removeListener(former)
        Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7.1.1"))
        phone.eventually("the tap is delivered") { phone.taps == listOf("7") }
        Carillon.removeListener(phone)
        Carillon.onVendorTap(mapOf("mid" to "8", "reference" to "8.1.1"))
        phone.eventually("the tap is stored") { phone.stored().getJSONArray("taps").length() == 1 }
        phone.idle()
        Carillon.setListener(phone)
        phone.eventually("the tap is delivered later") { phone.taps == listOf("7", "8") }
    }

    @Test
    fun `removes a recalled notification that was still waiting for the main thread`() {
        startConnected()
        val payload = """{"message_id":"7","title":"Dinner"}"""
        phone.gateway.publish(1, payload)
        phone.gateway.recall("""{"message_id":"7"}""")
        phone.gateway.publish(2, payload)
        repeat(400) { if (phone.gateway.acknowledged.none { (id) -> id == 2 }) Thread.sleep(10) }
        assertTrue("the recall has arrived", phone.gateway.acknowledged.any { it.first == 2 })
        phone.idle()
        assertEquals(emptyList<String>(), phone.displayed())
    }
}
