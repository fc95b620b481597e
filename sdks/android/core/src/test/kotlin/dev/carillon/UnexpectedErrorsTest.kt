package dev.carillon

import android.content.Context
import android.net.ConnectivityManager
import android.net.ConnectivityManager.NetworkCallback
import android.net.Network
import android.net.NetworkCapabilities
import android.os.UserManager
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
import java.net.InetAddress
import java.net.InetSocketAddress

/** An error in the SDK, or in a part of the phone, must not end the app. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class UnexpectedErrorsTest {
    @get:Rule
    val phone = StubPhone()

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
