package dev.carillon

import android.content.Intent
import dev.carillon.vendor.VendorPush
import org.junit.Assert.assertThrows
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowBuild

/** An app can include the module of a vendor without the vendor's SDK, whose classes are then missing on every phone. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class WithoutVendorSdkTest {
    @get:Rule
    val phone = Phone("Google")

    /** Loads the modules again, in an app that has no class of a vendor. */
    private class AppClasses(parent: ClassLoader) : ClassLoader(parent) {
        override fun loadClass(name: String, resolve: Boolean): Class<*> =
            when {
                SDK_OF_MODULE.values.any(name::startsWith) -> throw ClassNotFoundException(name)
                SDK_OF_MODULE.keys.any { name.startsWith("dev.carillon.$it.") } -> findLoadedClass(name) ?: define(name)
                else -> super.loadClass(name, resolve)
            }

        private fun define(name: String): Class<*> {
            val stream = getResourceAsStream("${name.replace('.', '/')}.class") ?: throw ClassNotFoundException(name)
            val bytes = stream.use { it.readBytes() }
            return defineClass(name, bytes, 0, bytes.size)
        }
    }

    private val classes = AppClasses(requireNotNull(javaClass.classLoader))

    private fun modules(): List<VendorPush> =
        SDK_OF_MODULE.keys.map { key ->
            val name = "dev.carillon.$key.${key.replaceFirstChar(Char::uppercase)}Vendor"
            classes.loadClass(name).getConstructor().newInstance() as VendorPush
        }

    @Test
    fun `starts, opens activities and reports the missing classes on the phone of each maker`() {
        assertThrows(ClassNotFoundException::class.java) { classes.loadClass("com.vivo.push.PushClient") }
        for (name in listOf("com.huawei.hwid", "com.xiaomi.xmsf")) phone.installPackage(name)
        for ((maker, sdk) in SDK_OF_MODULE + ("google" to null)) {
            ShadowBuild.setManufacturer(maker)
            ShadowBuild.setBrand(maker)
            phone.start(*modules().toTypedArray())
            phone.login()
            phone.listen()
            // The key with which Xiaomi passes its message. Any object there lets the module load the class of the message.
            phone.open(Intent().putExtra("key_message", "of another app"))
            if (sdk == null) phone.awaitSync("1")
            else phone.eventually("the error of $maker is reported") { phone.vendorErrors().any { sdk.replace('.', '/') in it } }
            phone.killProcess()
        }
    }

    private companion object {
        /** The modules, which are named like the makers, and the packages of the vendors' SDKs. */
        val SDK_OF_MODULE =
            mapOf(
                "huawei" to "com.huawei.",
                "honor" to "com.hihonor.",
                "xiaomi" to "com.xiaomi.",
                "oppo" to "com.heytap.",
                "vivo" to "com.vivo.",
                "meizu" to "com.meizu.",
            )
    }
}
