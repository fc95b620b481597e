package dev.carillon

import android.app.Application
import android.app.NotificationManager
import android.app.job.JobScheduler
import android.content.Context
import android.net.ConnectivityManager
import android.os.Looper
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorPush
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.rules.ExternalResource
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowNetwork
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.concurrent.thread

/** A phone with the SDK, a stub API and a stub gateway. It fails if a thread of the SDK ends with an exception. */
internal class StubPhone : ExternalResource(), CarillonListener {
    val context: Application get() = RuntimeEnvironment.getApplication()
    val api = StubApi()
    val gateway = StubGateway()
    val received = CopyOnWriteArrayList<String>()
    val taps = CopyOnWriteArrayList<String>()
    val tokens = CopyOnWriteArrayList<String>()
    @Volatile
    var logouts = 0
    val crashes = CopyOnWriteArrayList<Throwable>()
    private val usualHandler = Thread.getDefaultUncaughtExceptionHandler()

    override fun before() =
        Thread.setDefaultUncaughtExceptionHandler { thread, error -> if (thread.name.startsWith("carillon")) crashes.add(error) }

    override fun after() {
        Carillon.killForTest()
        gateway.close()
        api.close()
        Thread.setDefaultUncaughtExceptionHandler(usualHandler)
        crashes.firstOrNull()?.let { throw AssertionError("The app would have crashed", it) }
    }

    override fun onNotification(notification: CarillonNotification): Boolean {
        received.add(notification.messageId)
        return false
    }

    override fun onTap(notification: CarillonNotification) {
        taps.add(notification.messageId)
    }

    override fun onToken(vendor: Vendor, token: String) {
        assertEquals("it runs on the main thread", Looper.getMainLooper(), Looper.myLooper())
        tokens.add("$vendor $token")
    }

    override fun onLoggedOut() {
        logouts++
    }

    fun start(vendors: List<VendorPush> = emptyList(), environment: Int = 1) =
        Carillon.start(
            context,
            CarillonConfig(api.url, gateway.url, "shop", android.R.drawable.ic_dialog_info, vendors = vendors, environment = environment),
        )

    /** Receives a message of a vendor, as a vendor's service does on its thread. */
    fun receiveThroughVendor(messageId: String) =
        thread { Carillon.onVendorMessage(mapOf("mid" to messageId, "reference" to "$messageId.1.1"), "Dinner") }.join()

    fun displayed(): List<String?> =
        (context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager).activeNotifications.map { it.tag }

    fun jobs() = (context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler).allPendingJobs

    fun findNetwork(id: Int) {
        val manager = context.getSystemService(Context.CONNECTIVITY_SERVICE) as ConnectivityManager
        shadowOf(manager).networkCallbacks.toList().forEach { it.onAvailable(ShadowNetwork.newInstance(id)) }
    }

    /** Returns the stored state, or an empty object if nothing is stored. */
    fun stored(): JSONObject {
        val file = context.noBackupFilesDir.resolve("carillon.json")
        return if (file.exists()) JSONObject(file.readText()) else JSONObject()
    }

    fun idle() = shadowOf(Looper.getMainLooper()).idle()

    fun eventually(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + 20_000_000_000
        while (true) {
            idle()
            if (runCatching(isTrue).getOrDefault(false)) return
            check(System.nanoTime() < endNs) { "Not within 20 s: $what" }
            Thread.sleep(5)
        }
    }
}
