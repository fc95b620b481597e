package dev.carillon

import android.app.Activity
import android.app.Application
import android.app.Notification
import android.app.NotificationManager
import android.content.Context
import android.content.pm.ActivityInfo
import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.os.Parcelable
import dev.carillon.show.AppPage
import dev.carillon.show.Notifier
import dev.carillon.show.PictureLoader
import dev.carillon.show.TapActivity
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowBitmapFactory
import java.awt.image.BufferedImage
import java.io.ByteArrayOutputStream
import java.net.InetAddress
import java.net.ServerSocket
import javax.imageio.ImageIO
import kotlin.concurrent.thread

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class NotifierTest {
    private val context: Application = RuntimeEnvironment.getApplication()
    private val manager = context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager
    private val config = CarillonConfig("http://127.0.0.1:9", "mqtt://127.0.0.1:9", "shop", android.R.drawable.ic_dialog_info)
    private val notifier = Notifier(context, config)

    private fun notification(json: String) =
        requireNotNull(CarillonNotification.fromPayload(JSONObject(json).put("message_id", "7").put("reference", "7.1.2").toString()))

    private fun shown(json: String): Notification {
        notifier.show(notification(json), 3)
        return manager.activeNotifications.single { it.tag == "7" }.notification
    }

    @Test
    fun `displays the texts, the badge and a large text`() {
        val shown = shown("""{"title":"Hello","body":"Short","big_text":"Long"}""")
        assertEquals("Hello", shown.extras.getString(Notification.EXTRA_TITLE))
        assertEquals("Short", shown.extras.getString(Notification.EXTRA_TEXT))
        assertEquals("Long", shown.extras.getString(Notification.EXTRA_BIG_TEXT))
        assertEquals(3, shown.number)
        assertEquals("carillon", shown.channelId)
        assertEquals("Long", shown("""{"title":"Hello","big_text":"Long"}""").extras.getString(Notification.EXTRA_TEXT))
    }

    @Test
    fun `makes no sound if the message asks for none`() {
        assertEquals(Notification.GROUP_ALERT_SUMMARY, shown("""{"title":"a","android":{"sound":"none"}}""").groupAlertBehavior)
        assertEquals(Notification.GROUP_ALERT_ALL, shown("""{"title":"a","android":{"sound":"bell"}}""").groupAlertBehavior)
    }

    @Test
    fun `does not alert again if it replaces a copy that FCM has displayed`() {
        assertEquals(0, shown("""{"title":"a"}""").flags and Notification.FLAG_ONLY_ALERT_ONCE)
        manager.cancelAll()
        manager.notify("7", 0, Notification.Builder(context, "of FCM").setSmallIcon(android.R.drawable.ic_dialog_info).build())
        assertEquals(Notification.FLAG_ONLY_ALERT_ONCE, shown("""{"title":"a"}""").flags and Notification.FLAG_ONLY_ALERT_ONCE)
    }

    @Test
    fun `removes a notification at its time limit`() {
        val endSeconds = System.currentTimeMillis() / 1_000 + 60
        assertTrue(shown("""{"title":"a","show_end_time":$endSeconds}""").timeoutAfter in 1..60_000)
        assertEquals(0L, shown("""{"title":"a"}""").timeoutAfter)
    }

    @Test
    fun `removes its notifications, and those of FCM, but no others`() {
        manager.notify("7", 0, shown("""{"title":"a"}"""))
        manager.notify("of the app", 0, shown("""{"title":"a"}"""))
        manager.notify("8", 5, shown("""{"title":"a"}"""))
        notifier.removeAll()
        assertEquals(setOf("of the app", "8"), manager.activeNotifications.map { it.tag }.toSet())
    }

    @Test
    fun `the taps of two notifications differ`() {
        val intents = listOf("7", "8").map { TapActivity.intentFor(context, requireNotNull(CarillonNotification.fromPayload("""{"message_id":"$it"}"""))) }
        assertFalse(intents[0].filterEquals(intents[1]))
    }

    @Test
    fun `loads pictures, and leaves out what is too large or no picture`() {
        ShadowBitmapFactory.setAllowInvalidImageData(false)
        val png = ByteArrayOutputStream().also { ImageIO.write(BufferedImage(3_200, 100, BufferedImage.TYPE_INT_RGB), "png", it) }
        val picture = requireNotNull(PictureLoader.load(serve(png.toByteArray())))
        assertTrue("${picture.width}", picture.width <= 1_600)
        assertNull(PictureLoader.load(serve(ByteArray(1_048_577))))
        assertNull(PictureLoader.load(serve("no picture".toByteArray())))
        assertNull(PictureLoader.load("http://127.0.0.1:9/a.png"))
        assertNull(PictureLoader.load("file:///etc/hostname"))
        notifier.show(notification("""{"title":"a"}"""), 1, picture)
        assertNotNull(manager.activeNotifications.single().notification.extras.getParcelable(Notification.EXTRA_PICTURE, Parcelable::class.java))
    }

    /** A phone without enough memory for a picture. */
    @Implements(BitmapFactory::class)
    class FullMemory {
        companion object {
            @Implementation
            @JvmStatic
            fun decodeByteArray(data: ByteArray, offset: Int, length: Int, options: BitmapFactory.Options?): Bitmap? {
                if (options?.inJustDecodeBounds == false) throw OutOfMemoryError()
                options?.outWidth = 10
                options?.outHeight = 10
                return null
            }
        }
    }

    @Test
    @Config(shadows = [FullMemory::class])
    fun `leaves out a picture that does not fit into the memory`() =
        assertNull(PictureLoader.load(serve("a picture".toByteArray())))

    @Test
    fun `opens pages of this app, and no others`() {
        addActivity(context.packageName, "Concert")
        addActivity("com.other", "Concert")
        fun pageOf(intent: String) =
            AppPage.of(context, notification("""{"title":"a","android":{"click_action":"intent","intent":"$intent"}}"""))
        val page = requireNotNull(pageOf("intent:#Intent;component=${context.packageName}/.Concert;S.id=7;launchFlags=0x3;end"))
        assertEquals("7", page.getStringExtra("id"))
        assertEquals("7.1.2", page.getStringExtra("reference"))
        assertEquals("no permission is granted", 0, page.flags and 3)
        assertNull(pageOf("intent:#Intent;component=com.other/.Concert;end"))
        assertNull(pageOf("intent:#Intent;component=${context.packageName}/.Missing;end"))
        assertNull(pageOf("intent:#Intent;SEL;component=com.other/.Concert;end"))
        assertNull(pageOf("intent:#Intent;broken"))
    }

    @Test
    fun `requests the permission for notifications once it is missing`() {
        val activity = Robolectric.buildActivity(Activity::class.java).create().get()
        assertEquals(NotificationPermission.REQUIRED, Carillon.notificationPermission(context))
        assertTrue(Carillon.requestNotificationPermission(activity, 5))
        assertEquals(5, shadowOf(activity).lastRequestedPermission.requestCode)
        shadowOf(context).grantPermissions(android.Manifest.permission.POST_NOTIFICATIONS)
        assertEquals(NotificationPermission.GRANTED, Carillon.notificationPermission(context))
        assertFalse(Carillon.requestNotificationPermission(activity, 5))
        shadowOf(manager).setNotificationsEnabled(false)
        assertEquals(NotificationPermission.DENIED, Carillon.notificationPermission(context))
    }

    @Test
    fun `runs only in the main process of the app`() {
        assertTrue(MainProcess.isThis(context))
        assertFalse(MainProcess.isMain("com.example:push", "com.example"))
        assertTrue(MainProcess.isMain(null, "com.example"))
    }

    private fun addActivity(packageName: String, name: String) {
        val info = ActivityInfo().apply { this.packageName = packageName; this.name = "$packageName.$name" }
        shadowOf(context.packageManager).addOrUpdateActivity(info)
    }

    /** Serves one response and returns its URL. */
    private fun serve(bytes: ByteArray): String {
        val server = ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))
        thread(isDaemon = true) {
            server.use {
                it.accept().use { client ->
                    client.getInputStream().read(ByteArray(4_096))
                    runCatching {
                        client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: ${bytes.size}\r\nConnection: close\r\n\r\n".toByteArray() + bytes)
                    }
                }
            }
        }
        return "http://127.0.0.1:${server.localPort}/a.png"
    }
}
