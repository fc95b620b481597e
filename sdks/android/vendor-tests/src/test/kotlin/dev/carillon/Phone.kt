package dev.carillon

import android.app.Activity
import android.app.Application
import android.app.NotificationManager
import android.content.Context
import android.content.Intent
import android.content.pm.ApplicationInfo
import android.content.pm.PackageInfo
import android.os.Bundle
import android.os.Looper
import dev.carillon.state.Credentials
import dev.carillon.vendor.VendorPush
import org.json.JSONArray
import org.json.JSONObject
import org.junit.rules.ExternalResource
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import org.robolectric.shadows.ShadowBuild
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit

/** A phone with an app that uses the SDK and one vendor module. The API is a server on the loopback interface. */
class Phone(private val manufacturer: String) : ExternalResource() {
    val app: Application get() = RuntimeEnvironment.getApplication()
    val api = ApiServer()
    val log = CopyOnWriteArrayList<String>()
    val received = CopyOnWriteArrayList<CarillonNotification>()
    val taps = CopyOnWriteArrayList<CarillonNotification>()

    override fun before() {
        ShadowBuild.setManufacturer(manufacturer)
        ShadowBuild.setBrand(manufacturer)
    }

    /** Ends the process of the app, and the API. */
    override fun after() {
        killProcess()
        api.close()
    }

    /** Sets metadata of the manifest. */
    fun setMetadata(vararg values: Pair<String, String>) {
        val info = shadowOf(app.packageManager).getInternalMutablePackageInfo(app.packageName)
        info.applicationInfo!!.metaData = Bundle().apply { values.forEach { (name, value) -> putString(name, value) } }
    }

    fun installPackage(name: String, isEnabled: Boolean = true) {
        val info = PackageInfo()
        info.packageName = name
        info.applicationInfo = ApplicationInfo().apply {
            packageName = name
            enabled = isEnabled
            flags = ApplicationInfo.FLAG_INSTALLED
        }
        shadowOf(app.packageManager).installPackage(info)
    }

    /** Starts the process of the app, as `Application.onCreate` does after the consent. */
    fun start(vararg modules: VendorPush) {
        Carillon.start(
            app,
            CarillonConfig(
                apiUrl = api.url,
                // No gateway is needed: messages arrive through the vendor.
                gatewayUrl = "mqtt://127.0.0.1:1",
                appId = "shop",
                smallIcon = android.R.drawable.ic_dialog_info,
                vendors = modules.toList(),
                log = log::add,
            ),
        )
    }

    fun login() = Carillon.use(Credentials("access", "push"))

    /** Sets the listener of the app, as the first activity does. */
    fun listen() =
        Carillon.setListener(
            object : CarillonListener {
                override fun onNotification(notification: CarillonNotification): Boolean {
                    received.add(notification)
                    return false
                }

                override fun onTap(notification: CarillonNotification) {
                    taps.add(notification)
                }
            },
        )

    /** Opens an activity with an intent, as the vendor's system service does after a tap. */
    fun open(intent: Intent): ActivityController<Activity> = Robolectric.buildActivity(Activity::class.java, intent).setup()

    /** Returns the tokens that were registered, in order. */
    fun boundTokens(provider: Int): List<String> =
        api.callsOf("/device/bind").filter { it.body.getInt("provider") == provider }.map { it.body.getString("token") }

    /** Waits until the SDK has sent everything that was requested before. Vendor tokens are sent before receipts. */
    fun awaitSync(receiptOf: String) {
        Carillon.onVendorDisplayed(data(receiptOf))
        eventually("the receipt is reported") { "$receiptOf.0.1" in reports(isClick = false) }
    }

    /** Waits until the file of the SDK contains a text, so that the end of the process does not lose it. */
    fun awaitStored(text: String) {
        val file = app.noBackupFilesDir.resolve("carillon.json")
        eventually("$text is stored") { file.exists() && text in file.readText() }
    }

    /** Returns the vendor tokens that the SDK has stored, by provider, after it has handled all earlier calls. */
    fun storedTokens(): Map<String, String> {
        val id = "${System.nanoTime()}"
        Carillon.onVendorDisplayed(data(id))
        val file = app.noBackupFilesDir.resolve("carillon.json")
        val stored = { if (file.exists()) JSONObject(file.readText()) else JSONObject() }
        eventually("the message is stored") { id in stored().optJSONArray("seen")?.strings().orEmpty() }
        val tokens = stored().getJSONObject("tokens")
        return tokens.keys().asSequence().associateWith(tokens::getString)
    }

    /** Returns the errors that operators see, as the SDK last reported them. */
    fun vendorErrors(): List<String> {
        val states = api.callsOf("/device/state")
        return states.lastOrNull()?.body?.getJSONArray("vendor_errors")?.let { errors ->
            List(errors.length()) { errors.getJSONObject(it).getString("error") }
        } ?: emptyList()
    }

    /** Returns everything that the SDK has logged and sent about errors. */
    fun errorTexts(): String = log.joinToString() + api.callsOf("/device/state").joinToString { it.body.toString() }

    /** Returns the references of the receipts, or of the clicks. */
    fun reports(isClick: Boolean): List<String> =
        api.callsOf("/device/receipt")
            .filter { (it.body.optString("event") == "clicked") == isClick }
            .flatMap { it.body.getJSONArray("list").strings() }

    fun displayedTitles(): List<String> =
        (app.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager).activeNotifications
            .map { it.notification.extras.getString("android.title").orEmpty() }

    fun idle() = shadowOf(Looper.getMainLooper()).idle()

    /** Runs the tasks of the main thread that are due within this time. */
    fun idleFor(seconds: Long) = shadowOf(Looper.getMainLooper()).idleFor(seconds, TimeUnit.SECONDS)

    /** Runs the tasks of the main thread until a condition is true. */
    fun eventually(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + DEADLINE_NS
        while (true) {
            idle()
            if (isTrue()) return
            check(System.nanoTime() < endNs) { "Not in time: $what. Log: $log" }
            Thread.sleep(POLL_MS)
        }
    }

    /** Core keeps this function internal, because an app must not call it. */
    fun killProcess() {
        Carillon::class.java.methods.single { it.name.startsWith("killForTest") }.invoke(Carillon)
    }

    private fun JSONArray.strings(): List<String> = List(length(), ::getString)

    companion object {
        private const val DEADLINE_NS = 20_000_000_000
        private const val POLL_MS = 10L

        /** The data of a displayed notification with this ID, as Carillon sends it to the vendors of Android. */
        fun data(messageId: String): Map<String, String> =
            mapOf("mid" to messageId, "reference" to "$messageId.0.1", "badge" to "+1", "ext" to """{"table":7}""")

        /** The data of a data-only message with this ID. */
        fun dataOnly(messageId: String): Map<String, String> = data(messageId) + mapOf("title" to "t", "body" to "b")

        fun jsonOf(data: Map<String, String>): String = JSONObject(data).toString()

        fun extrasOf(data: Map<String, String>): Intent =
            Intent(Intent.ACTION_MAIN).apply { data.forEach { (key, value) -> putExtra(key, value) } }
    }
}
