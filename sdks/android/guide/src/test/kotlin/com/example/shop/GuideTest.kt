package com.example.shop

import android.app.NotificationManager
import android.content.Context
import android.os.Looper
import android.widget.Button
import dev.carillon.Carillon
import dev.carillon.CarillonConfig
import org.json.JSONArray
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.io.File
import java.util.concurrent.TimeUnit

/** Follows docs/app/android.md: uses the app as a person would, and runs the commands of the page. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE, application = GuideTest.LocalShop::class)
class GuideTest {
    private val app: ShopApplication = RuntimeEnvironment.getApplication() as ShopApplication
    private val environment = System.getenv()

    /** The app of the guide, with the addresses of the demo that the test has started. */
    class LocalShop : ShopApplication() {
        override val config: CarillonConfig
            get() =
                CarillonConfig(
                    apiUrl = System.getenv("CARILLON_URL"),
                    gatewayUrl = "mqtt://127.0.0.1:${System.getenv("MQTT_PORT")}",
                    appId = System.getenv("CARILLON_APP_ID"),
                    smallIcon = android.R.drawable.ic_popup_reminder,
                )
    }

    @Test
    fun `delivers, opens and counts a notification`() {
        assumeTrue("GUIDE_COMMANDS is not set", environment.containsKey("GUIDE_COMMANDS"))
        val commands = JSONArray(environment["GUIDE_COMMANDS"])
        assertEquals("blocks of the page", 3, commands.length())
        declareOrderActivity()
        assertFalse("nothing starts before the consent", Carillon.isStarted)

        val main = Robolectric.buildActivity(MainActivity::class.java).setup().get()
        main.findViewById<Button>(MainActivity.ACCEPT)!!.performClick()
        main.findViewById<Button>(MainActivity.LOG_IN)!!.performClick()
        eventually("the user is logged in") { Carillon.isLoggedIn }

        val sent = run(commands.getString(0))
        assertTrue(sent, sent.contains("finished; 1 sent, 1 received"))
        eventually("the notification is displayed") { titles() == listOf("Hello") }

        // Robolectric without a manifest gives every app the same package.
        run(commands.getString(1).replace("component=com.example.shop/", "component=${app.packageName}/"))
        eventually("the second notification is displayed") { titles().size == 2 }
        val order = manager().activeNotifications.single { shadowOf(it.notification).contentTitle == "Order 1001" }
        val tap = shadowOf(order.notification.contentIntent).savedIntent
        Robolectric.buildActivity(Class.forName(tap.component!!.className).asSubclass(android.app.Activity::class.java), tap).create()
        eventually("the page is opened") {
            val opened = shadowOf(app).nextStartedActivity
            opened?.component?.className == OrderActivity::class.java.name && opened.getStringExtra("order") == "1001"
        }
        eventually("the click is counted") { Regex("clicked\\D+1").containsMatchIn(run(commands.getString(2))) }
    }

    /** Android reads the activities from the manifest, which this test has not. */
    private fun declareOrderActivity() {
        val page = android.content.ComponentName(app, OrderActivity::class.java)
        shadowOf(app.packageManager).addActivityIfNotPresent(page)
    }

    private fun manager() = app.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager

    private fun titles() = manager().activeNotifications.map { shadowOf(it.notification).contentTitle.toString() }

    /** Runs commands at the root of the checkout, and returns their output. */
    private fun run(script: String): String {
        val output = File.createTempFile("guide", ".txt")
        val bash =
            ProcessBuilder("bash", "-euo", "pipefail", "-c", script)
                .directory(File(environment.getValue("GUIDE_DIRECTORY")))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start()
        try {
            eventually("the commands end: $script") { !bash.isAlive }
            assertEquals(output.readText(), 0, bash.exitValue())
            return output.readText()
        } finally {
            bash.destroy()
            output.delete()
        }
    }

    /** Runs what waits for the main thread until a condition is true. */
    private fun eventually(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (true) {
            shadowOf(Looper.getMainLooper()).idle()
            if (isTrue()) return
            check(System.nanoTime() < endNs) { "Not within 60 s: $what" }
            Thread.sleep(20)
        }
    }
}
