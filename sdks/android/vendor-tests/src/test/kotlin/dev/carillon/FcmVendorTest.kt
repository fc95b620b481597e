package dev.carillon

import android.app.NotificationChannel
import android.app.NotificationManager
import android.content.Context
import com.google.android.gms.tasks.Task
import com.google.android.gms.tasks.TaskCompletionSource
import com.google.firebase.FirebaseApp
import com.google.firebase.messaging.RemoteMessage
import dev.carillon.fcm.FcmPushService
import dev.carillon.fcm.FcmVendor
import dev.carillon.fcm.Firebase
import dev.carillon.fcm.FirebaseStart
import dev.carillon.vendor.VendorKeys
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.io.IOException
import kotlin.concurrent.thread

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class FcmVendorTest {
    @get:Rule
    val phone = Phone("Google")

    /** Stands for Google's servers. */
    private class Google(private val hasConfiguration: Boolean = true, isReachable: Boolean = true) : Firebase {
        val token = TaskCompletionSource<String>()
        val deletion = TaskCompletionSource<Void>().apply { if (isReachable) setResult(null) }

        @Volatile
        var requests = 0

        @Volatile
        var deletions = 0

        @Volatile
        var isStarted = false

        override fun start(context: Context): Boolean {
            isStarted = hasConfiguration
            return isStarted
        }

        override fun requestToken(context: Context): Task<*> = token.task.also { requests++ }

        override fun deleteToken(context: Context): Task<*>? = if (isStarted) deletion.task.also { deletions++ } else null
    }

    @Before
    fun prepare() = phone.installPackage("com.google.android.gms")

    @After
    fun endFirebase() = FirebaseApp.getApps(phone.app).toList().forEach(FirebaseApp::delete)

    private fun start(google: Google = Google()): Google {
        phone.start(FcmVendor(google))
        phone.login()
        return google
    }

    private fun message(data: Map<String, String>, title: String? = null): RemoteMessage {
        val builder = RemoteMessage.Builder("shop").setData(data)
        if (title == null) return builder.build()
        val intent = builder.build().toIntent()
        intent.putExtra("gcm.n.e", "1").putExtra("gcm.n.title", title).putExtra("gcm.n.body", "Now")
        return RemoteMessage(requireNotNull(intent.extras))
    }

    private class Service : FcmPushService()

    @Test
    @Suppress("DEPRECATION") // most apps have not changed to installation IDs
    fun `registers a token, and each new one, once`() {
        val google = start()
        google.token.setResult("token-1")
        phone.eventually("the token is registered") { phone.boundTokens(7) == listOf("token-1") }
        Service().onNewToken("token-1")
        phone.awaitSync("1")
        Service().onNewToken("token-2")
        phone.eventually("the new token is registered") { "token-2" in phone.boundTokens(7) }
        assertEquals(listOf("token-1", "token-2"), phone.boundTokens(7))
        assertTrue("no keys are requested", phone.api.callsOf("/push/certificate").isEmpty())
    }

    @Test
    fun `registers an installation ID, and removes it when it ends`() {
        start().token.setResult(null)
        Service().onRegistered("cABCDEFGHIJKLMNOPQRSTU")
        phone.eventually("the ID is registered") { phone.boundTokens(7) == listOf("cABCDEFGHIJKLMNOPQRSTU") }
        Service().onUnregistered("cABCDEFGHIJKLMNOPQRSTU")
        phone.eventually("the ID is removed") { phone.api.callsOf("/device/unbind").size == 1 }
        assertEquals(7, phone.api.callsOf("/device/unbind").single().body.getInt("provider"))
    }

    @Test
    fun `reports the code of an error, but no other message`() {
        start().token.setException(IOException("SERVICE_NOT_AVAILABLE"))
        phone.eventually("the code is reported") { phone.vendorErrors().any { "SERVICE_NOT_AVAILABLE" in it } }
        phone.killProcess()
        start().token.setException(IOException("key AIza is wrong"))
        phone.eventually("the class is reported") { phone.vendorErrors().any { "java.io.IOException" in it } }
        assertFalse("AIza" in phone.errorTexts())
    }

    @Test
    fun `reports an app without a configuration of Firebase`() {
        start(Google(hasConfiguration = false))
        phone.eventually("the error is reported") { phone.vendorErrors().any { "no configuration" in it } }
    }

    @Test
    fun `starts Firebase only in register, from the metadata of the manifest`() {
        phone.setMetadata(
            "dev.carillon.fcm.app_id" to "1:1234:android:abc",
            "dev.carillon.fcm.app_key" to "AIza",
            "dev.carillon.fcm.project_id" to "shop",
        )
        assertTrue("nothing before register", FirebaseApp.getApps(phone.app).isEmpty())
        assertTrue(FirebaseStart.start(phone.app))
        assertTrue("it is started once", FirebaseStart.start(phone.app))
        val options = FirebaseApp.getInstance().options
        assertEquals("1:1234:android:abc", options.applicationId)
        assertEquals("1234", options.gcmSenderId)
        assertEquals("AIza", options.apiKey)
        assertEquals("shop", options.projectId)
    }

    @Test
    fun `displays a message of the foreground, and passes on data-only messages`() {
        start()
        phone.listen()
        Service().onMessageReceived(message(Phone.data("7"), title = "Dinner"))
        Service().onMessageReceived(message(Phone.dataOnly("8")))
        Service().onMessageReceived(message(mapOf("of" to "another service")))
        phone.eventually("both messages arrive") { phone.received.map { it.messageId } == listOf("7", "8") }
        assertEquals(listOf("Dinner"), phone.displayedTitles())
        phone.eventually("the receipts are reported") { phone.reports(isClick = false).toSet() == setOf("7.0.1", "8.0.1") }
    }

    @Test
    fun `displays a message of the foreground in the notification channel that it names`() {
        start()
        val manager = phone.app.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager
        manager.createNotificationChannel(NotificationChannel("orders", "Orders", NotificationManager.IMPORTANCE_LOW))
        val intent = RemoteMessage.Builder("shop").setData(Phone.data("7")).build().toIntent()
        intent.putExtra("gcm.n.e", "1").putExtra("gcm.n.title", "Dinner").putExtra("gcm.n.android_channel_id", "orders")
        Service().onMessageReceived(RemoteMessage(requireNotNull(intent.extras)))
        phone.eventually("it is displayed") { manager.activeNotifications.map { it.notification.channelId } == listOf("orders") }
    }

    @Test
    fun `finds a tap in the extras of the launch intent`() {
        start()
        phone.open(Phone.extrasOf(Phone.data("7") + mapOf("google.message_id" to "0:1%2")))
        phone.listen()
        phone.eventually("the tap arrives") { phone.taps.map { it.messageId } == listOf("7") }
    }

    @Test
    fun `deletes the token at a logout`() {
        val google = start()
        phone.eventually("a token is requested") { google.requests == 1 }
        Carillon.logout()
        phone.eventually("the token is deleted") { google.deletions == 1 }
    }

    @Test
    fun `deletes the token in a process that has not requested it`() {
        val google = Google()
        thread { FcmVendor(google).unregister(phone.app, VendorKeys()) }.join()
        assertEquals(1, google.deletions)
    }

    @Test
    fun `deletes no token at a logout without an earlier login`() {
        val google = Google()
        phone.start(FcmVendor(google))
        var isLoggedOut = false
        Carillon.logout { isLoggedOut = true }
        phone.eventually("the logout has ended") { isLoggedOut }
        // The API learns of the logout before the modules.
        phone.login()
        phone.eventually("the next user is registered") { google.requests == 1 }
        assertEquals(0, google.deletions)
    }

    @Test
    fun `requests the token of the next user only after the previous one is deleted, or could not be`() {
        for (end in listOf<(Google) -> Unit>({ it.deletion.setResult(null) }, { it.deletion.setException(IOException("no network")) })) {
            val google = start(Google(isReachable = false))
            phone.eventually("a token is requested") { google.requests == 1 }
            var isLoggedOut = false
            Carillon.logout { isLoggedOut = true }
            phone.login()
            phone.eventually("the token is being deleted") { google.deletions == 1 }
            phone.eventually("the logout does not wait for it") { isLoggedOut }
            Thread.sleep(200)
            assertEquals(1, google.requests)
            end(google)
            phone.eventually("a new token is requested") { google.requests == 2 }
            phone.killProcess()
        }
    }

    @Test
    fun `keeps a new installation ID when an earlier one ends`() {
        start().token.setResult(null)
        Service().onRegistered("installation-1")
        Service().onRegistered("installation-2")
        phone.eventually("the new ID is registered") { "installation-2" in phone.boundTokens(7) }
        Service().onUnregistered("installation-1")
        assertEquals(mapOf("7" to "installation-2"), phone.storedTokens())
    }

    @Test
    fun `is available with Google Play services`() {
        assertTrue(FcmVendor().isAvailable(phone.app))
        phone.installPackage("com.google.android.gms", isEnabled = false)
        assertFalse(FcmVendor().isAvailable(phone.app))
    }
}
