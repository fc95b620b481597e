package dev.carillon

import android.app.Application
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.job.JobParameters
import android.content.Context
import android.os.Build
import android.os.Looper
import android.provider.Settings
import dev.carillon.report.ReportJob
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadow.api.Shadow
import org.w3c.dom.Element
import java.io.File
import java.net.Socket
import java.net.URL
import java.util.concurrent.TimeUnit
import javax.xml.parsers.DocumentBuilderFactory

/** App stores reject apps whose SDKs do anything before the user's consent. */
@RunWith(RobolectricTestRunner::class)
@Config(
    sdk = [35],
    manifest = Config.NONE,
    shadows = [RecordingSecureSettings::class, RecordingBuild::class, RecordingContext::class],
)
class NothingBeforeStartTest {
    private val context: Application = RuntimeEnvironment.getApplication()
    private val directories = listOf(context.dataDir, context.noBackupFilesDir, context.cacheDir)
    private val config =
        CarillonConfig("http://127.0.0.1:9", "mqtt://127.0.0.1:9", "shop", android.R.drawable.ic_dialog_info)

    @After
    fun kill() {
        AccessRecorder.stop()
        Carillon.killForTest()
    }

    @Test
    fun `reads no identifier, uses no network and starts nothing before start`() {
        val job = Robolectric.buildService(ReportJob::class.java).create().get()
        AccessRecorder.start(directories)
        useEverythingBeforeStart(job)
        assertEquals(emptyList<String>(), AccessRecorder.stop())
    }

    @Test
    fun `uses the network, a thread and a file only after start, and never an identifier`() {
        AccessRecorder.start(directories)
        Carillon.start(context, config)
        Carillon.use(Credentials("access", "push"))
        waitFor("file carillon.json") { File(context.noBackupFilesDir, "carillon.json").exists() }
        waitFor("network socket") { "network socket" in AccessRecorder.accesses }
        val accesses = AccessRecorder.stop()
        assertTrue("$accesses", "file carillon.json" in accesses)
        assertTrue("$accesses", "service ${Context.NOTIFICATION_SERVICE}" in accesses)
        assertTrue("$accesses", accesses.any { it.startsWith("thread carillon") })
        assertEquals(emptyList<String>(), accesses.filter { it.startsWith("identifier") || it.startsWith("component") })
        val services = setOf(Context.NOTIFICATION_SERVICE, Context.CONNECTIVITY_SERVICE, Context.JOB_SCHEDULER_SERVICE, Context.USER_SERVICE)
        assertEquals(emptySet<String>(), accesses.filter { it.startsWith("service") }.map { it.substringAfter(' ') }.toSet() - services)
    }

    /** The phone displays notifications of FCM while the app is closed, in a channel that exists already. */
    @Test
    fun `creates the configured notification channel after start, unless the app creates it`() {
        val manager = context.getSystemService(NotificationManager::class.java)!!
        useEverythingBeforeStart(Robolectric.buildService(ReportJob::class.java).create().get())
        assertEquals(emptyList<String>(), manager.notificationChannels.map { it.id })
        for (id in listOf("carillon", "orders")) {
            Carillon.start(context, CarillonConfig(config.apiUrl, config.gatewayUrl, "shop", config.smallIcon, channelId = id))
            // The app continues in Application.onCreate.
            if (id == "orders") manager.createNotificationChannel(NotificationChannel(id, "Orders", NotificationManager.IMPORTANCE_LOW))
            waitFor("channel $id") {
                shadowOf(Looper.getMainLooper()).idle()
                manager.getNotificationChannel(id) != null
            }
            Carillon.stop()
        }
        val names = manager.notificationChannels.associate { it.id to "${it.name} ${it.importance}" }
        assertEquals(mapOf("carillon" to "Notifications 4", "orders" to "Orders 2"), names)
    }

    @Test
    fun `the recorder notices identifiers, connections, threads and files`() {
        AccessRecorder.start(directories)
        Settings.Secure.getString(context.contentResolver, Settings.Secure.ANDROID_ID)
        @Suppress("DEPRECATION", "MissingPermission")
        Build.getSerial()
        context.getSystemService(Context.TELEPHONY_SERVICE)
        runCatching { Socket("127.0.0.1", 9) }
        runCatching { URL("http://127.0.0.1:9").readText() }
        File(context.cacheDir, "a-file").writeText("")
        val thread = Thread({ Thread.sleep(1_000) }, "a-thread").apply { start() }
        val accesses = AccessRecorder.stop()
        val expected =
            listOf("identifier android_id", "identifier serial", "service phone", "network socket", "network http", "file a-file")
        for (access in expected + "thread a-thread") assertTrue("$access in $accesses", access in accesses)
        thread.interrupt()
    }

    @Test
    fun `the manifest has no provider, no receiver and nothing that other apps can start`() {
        val manifest = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(File("src/main/AndroidManifest.xml"))
        val application = manifest.getElementsByTagName("application").item(0)
        val components = List(application.childNodes.length, application.childNodes::item).filterIsInstance<Element>()
        assertEquals(listOf("activity", "service"), components.map { it.tagName })
        assertTrue(components.all { it.getAttribute("android:exported") == "false" })
    }

    /** Everything that an app or a vendor module can call before the consent. */
    private fun useEverythingBeforeStart(job: ReportJob) {
        assertFalse(Carillon.isStarted)
        Carillon.setListener(object : CarillonListener {})
        Carillon.onVendorToken(Vendor.FCM, "token")
        Carillon.onVendorError(Vendor.FCM, "error")
        assertFalse(Carillon.onVendorMessage(mapOf("mid" to "7"), "Title"))
        assertFalse(Carillon.onVendorDisplayed(mapOf("mid" to "7")))
        assertTrue(Carillon.onVendorTap(mapOf("mid" to "7", "reference" to "7.1.1")))
        Carillon.onNotificationPermissionResult()
        assertFalse(job.onStartJob(Shadow.newInstanceOf(JobParameters::class.java)))
        Carillon.stop()
    }

    private fun waitFor(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(15)
        while (!isTrue()) {
            check(System.nanoTime() < endNs) { "Not within 15 s: $what in ${AccessRecorder.accesses}" }
            Thread.sleep(10)
        }
    }
}
