package dev.carillon

import android.content.Context
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

/** The keys of vendors that the SDK reads from Carillon. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class KeySourceTest {
    @get:Rule
    val phone = StubPhone()

    private object Module : VendorPush {
        override val vendor = Vendor.FCM

        override fun isAvailable(context: Context) = true

        override fun register(context: Context, keys: VendorKeys) = Carillon.onVendorToken(vendor, "token")
    }

    @Test
    fun `requests the keys of the environment in which it registers the token`() {
        for (environment in listOf(0, 1)) {
            phone.api.calls.clear()
            phone.start(listOf(Module), environment)
            Carillon.use(Credentials("access-$environment", "push-$environment"))
            phone.eventually("the token is registered") { phone.api.calls.any { it.path == "/device/bind" } }
            assertEquals(listOf("provider=7&environment=$environment"), phone.api.calls.filter { it.path == "/push/certificate" }.map { it.query })
            assertEquals(environment, phone.api.calls.single { it.path == "/device/bind" }.body.getInt("environment"))
            Carillon.killForTest()
        }
    }
}
