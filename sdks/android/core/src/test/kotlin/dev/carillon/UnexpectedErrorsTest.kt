package dev.carillon

import android.app.job.JobInfo
import android.content.Context
import android.content.pm.PackageManager
import android.net.ConnectivityManager
import android.net.ConnectivityManager.NetworkCallback
import android.net.Network
import android.net.NetworkCapabilities
import android.os.UserManager
import android.security.NetworkSecurityPolicy
import com.sun.net.httpserver.HttpServer
import dev.carillon.api.ApiClient
import dev.carillon.api.ApiException
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowConnectivityManager
import org.robolectric.shadows.ShadowJobScheduler
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.CopyOnWriteArrayList

/** An error in the SDK, or in a part of the phone, must not end the app. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class UnexpectedErrorsTest {
    @get:Rule
    val phone = StubPhone()

    @Test
    fun `loses no valid report if the API rejects another one of the same list`() {
        phone.start()
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the device is connected") { phone.gateway.readyCount == 1 }
        phone.api.respond(50003)
        for (id in 1..3) phone.receiveThroughVendor("$id")
        phone.eventually("a list is sent") { phone.api.receipts.any { it.getJSONArray("list").length() == 3 } }
        // An earlier version of the SDK has accepted a reference that the API rejects.
        phone.api.onCall = { call ->
            if (call.path == "/device/receipt") if ("2.1.1" in "${call.body}") phone.api.respond(10002) else phone.api.accept()
        }
        phone.receiveThroughVendor("4")
        phone.eventually("nothing is left") { "[]" == phone.stored().getJSONObject("reports").getJSONArray("receipts").toString() }
        val accepted = phone.api.accepted.map { "${it.getJSONArray("list")}" }
        assertEquals(setOf("[\"1.1.1\"]", "[\"3.1.1\"]", "[\"4.1.1\"]"), accepted.toSet())
    }

    /** Robolectric permits unencrypted connections. Since Android 9, an app must permit them in its manifest. */
    @Test
    fun `sends no token over an unencrypted connection that the app forbids, and logs the reason`() {
        val logged = CopyOnWriteArrayList<String>()
        NetworkSecurityPolicy.getInstance().setCleartextTrafficPermitted(false)
        try {
            Carillon.start(
                phone.context,
                CarillonConfig(phone.api.url, phone.gateway.url, "shop", android.R.drawable.ic_dialog_info, log = logged::add),
            )
            Carillon.use(Credentials("access", "push"))
            phone.eventually("the reason is logged") { logged.any { "Use mqtts://" in it } }
            assertEquals(0, phone.gateway.readyCount)
        } finally {
            NetworkSecurityPolicy.getInstance().setCleartextTrafficPermitted(true)
        }
    }

    @Test
    fun `accepts only URLs with which it can work`() {
        fun start(api: String, gateway: String) = CarillonConfig(api, gateway, "shop", android.R.drawable.ic_dialog_info)
        start("https://push.example.com", "mqtts://push.example.com")
        for (url in listOf("", "push.example.com", "ftp://push.example.com", "https://"))
            assertThrows(url, IllegalArgumentException::class.java) { start(url, "mqtts://push.example.com") }
        for (url in listOf("", "push.example.com", "https://push.example.com"))
            assertThrows(url, IllegalArgumentException::class.java) { start("https://push.example.com", url) }
    }

    @Test
    fun `writes no secret into the text of an object that an app can log`() {
        val texts = "${Credentials("access", "push")} ${VendorKeys("id", "key", "secret")}"
        for (secret in listOf("access", "push", "key", "secret")) assertTrue(texts, secret !in texts)
    }

    @Test
    fun `survives a logout while the keys of a vendor are read`() {
        var isRegistered = false
        var isLoggedOut = false
        val vendor =
            object : VendorPush {
                override val vendor = Vendor.FCM

                override fun isAvailable(context: Context): Boolean {
                    if (!isLoggedOut) Carillon.logout()
                    isLoggedOut = true
                    return true
                }

                override fun register(context: Context, keys: VendorKeys) {
                    isRegistered = true
                }
            }
        phone.start(listOf(vendor))
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the logout is sent") { phone.api.calls.any { it.path == "/token/logout" } }
        assertEquals(false, isRegistered)
    }

    @Test
    fun `reports a vendor whose SDK the app does not include, also if it is missed before the registration`() {
        val vendor =
            object : VendorPush {
                override val vendor = Vendor.FCM

                override fun isAvailable(context: Context): Boolean = throw NoClassDefFoundError("com/vivo/push/PushClient")

                override fun register(context: Context, keys: VendorKeys) = Unit
            }
        phone.start(listOf(vendor))
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the error is reported") { phone.api.calls.any { it.path == "/device/state" && "PushClient" in "${it.body}" } }
    }

    /** Kotlin does not require to catch these exceptions, so a task can throw them unnoticed. */
    @Test
    fun `continues after a task that throws a checked exception`() {
        val logged = CopyOnWriteArrayList<String>()
        val threads = Threads(logged::add)
        threads.state.execute { throw PackageManager.NameNotFoundException() }
        threads.state.execute { logged.add("the next task") }
        phone.eventually("the next task has run") { "the next task" in logged }
        assertTrue("$logged", logged.first().startsWith("A task failed: NameNotFoundException"))
    }

    @Test
    fun `survives an access token that HTTP does not allow`() {
        phone.start()
        Carillon.use(Credentials("access\nof a file", "push"))
        phone.eventually("the login has ended") { !Carillon.isLoggedIn }
        val error = assertThrows(ApiException::class.java) { ApiClient(phone.api.url, "shop").call("/", null, "access\n") }
        assertTrue("$error", "access\n" !in "$error")
    }

    @Test
    fun `does not lose the login if the app starts before the phone is unlocked`() {
        val user = shadowOf(phone.context.getSystemService(Context.USER_SERVICE) as UserManager)
        user.setUserUnlocked(false)
        phone.start()
        assertEquals(false, Carillon.isStarted)
        user.setUserUnlocked(true)
        phone.start()
        assertEquals(true, Carillon.isStarted)
    }

    /** Some phones throw these exceptions, although the app has the permission. */
    @Implements(ConnectivityManager::class)
    class BrokenConnectivityManager : ShadowConnectivityManager() {
        @Implementation
        override fun registerDefaultNetworkCallback(callback: NetworkCallback): Unit = throw SecurityException("not allowed")

        @Implementation
        override fun unregisterNetworkCallback(callback: NetworkCallback): Unit = throw IllegalArgumentException("not registered")

        @Implementation
        override fun getNetworkCapabilities(network: Network?): NetworkCapabilities = throw SecurityException("not allowed")
    }

    @Test
    @Config(shadows = [BrokenConnectivityManager::class])
    fun `connects on a phone that reports no networks`() {
        phone.start()
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the device is connected") { phone.gateway.readyCount == 1 }
        Carillon.stop()
    }

    /** Android allows each app a limited number of jobs. */
    @Implements(className = "android.app.JobSchedulerImpl", isInAndroidSdk = false)
    class FullJobScheduler : ShadowJobScheduler.ShadowJobSchedulerImpl() {
        @Implementation
        override fun schedule(job: JobInfo): Int = throw IllegalStateException("Apps may not schedule more than 100 distinct jobs")
    }

    @Test
    @Config(shadows = [FullJobScheduler::class])
    fun `sends a receipt and a logout although the app cannot have another job`() {
        phone.start()
        Carillon.use(Credentials("access", "push"))
        phone.eventually("the device is connected") { phone.gateway.readyCount == 1 }
        phone.receiveThroughVendor("7")
        phone.eventually("the receipt is sent") { phone.api.accepted.any { "7.1.1" in "$it" } }
        var isDone = false
        Carillon.logout { isDone = true }
        phone.eventually("the logout has ended") { isDone }
        assertTrue(phone.api.calls.any { it.path == "/token/logout" })
    }

    @Test
    fun `sends the access token to no other host, and reads no endless response`() {
        var isCalled = false
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        val url = "http://127.0.0.1:${server.address.port}"
        server.createContext("/redirect") {
            it.responseHeaders.add("location", "$url/other")
            it.sendResponseHeaders(302, -1)
            it.close()
        }
        server.createContext("/other") {
            isCalled = true
            it.sendResponseHeaders(200, -1)
            it.close()
        }
        server.createContext("/large") {
            it.sendResponseHeaders(200, 0)
            runCatching { it.responseBody.use { out -> out.write("{\"code\":200}".toByteArray() + ByteArray(2_000_000) { ' '.code.toByte() }) } }
        }
        server.start()
        try {
            val api = ApiClient(url, "shop")
            for (path in listOf("/redirect", "/large")) {
                val error = assertThrows(path, ApiException::class.java) { api.call(path, null, "access") }
                assertTrue(error.isTemporary)
                assertEquals(false, isCalled)
            }
        } finally {
            server.stop(0)
        }
    }
}
