package dev.carillon

import android.content.Intent
import dev.carillon.mqtt.NextStep
import dev.carillon.mqtt.Reconnects
import dev.carillon.show.DeepLink
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.io.File

/** Runs the test vectors that all device clients share. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class VectorsTest {
    private fun vectors(name: String): List<JSONObject> {
        val list = JSONArray(File("../../test-vectors/$name.json").readText())
        return List(list.length(), list::getJSONObject)
    }

    @Test
    fun notifications() {
        for (vector in vectors("notifications")) {
            val name = vector.getString("name")
            checkNotification(vector, CarillonNotification.fromPayload(vector.getString("payload")))
        }
    }

    @Test
    fun `vendor messages`() {
        for (vector in vectors("vendor-messages")) {
            val texts = vector.optJSONObject("texts")
            val notification =
                CarillonNotification.fromVendor(
                    data = strings(vector.getJSONObject("data")),
                    title = texts?.text("title"),
                    body = texts?.text("body"),
                    isDisplayed = vector.optBoolean("displayed"),
                )
            // A vendor does not pass the type. The SDK recognizes a picture by its URL, to display it.
            checkNotification(vector, notification, hasType = false)
        }
    }

    @Test
    fun `deep links`() {
        for (vector in vectors("deep-links")) {
            val name = vector.getString("name")
            val page = DeepLink.parse(vector.getString("uri"), "com.example.app")
            val expected = vector.optJSONObject("expected")
            if (expected == null || page == null) {
                assertEquals(name, expected, page)
                continue
            }
            assertEquals(name, "com.example.app", page.`package`)
            assertEquals(name, Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TOP, page.flags)
            assertNull(name, page.selector)
            @Suppress("DEPRECATION") // the types of the extras differ
            val extras = page.extras?.let { bundle -> bundle.keySet().associateWith { bundle.get(it).toString() } }.orEmpty()
            val fields =
                mapOf(
                    "action" to page.action,
                    "component" to page.component?.let { "${it.packageName}/${it.className}" },
                    "data" to page.dataString,
                    "extras" to extras,
                )
            for (key in expected.keys()) {
                val value = if (key == "extras") strings(expected.getJSONObject(key)) else expected.text(key)
                assertEquals("$name: $key", value, fields[key])
            }
        }
    }

    /** Compares the expected fields. Null means that the field is absent. */
    private fun checkNotification(vector: JSONObject, notification: CarillonNotification?, hasType: Boolean = true) {
        val name = vector.getString("name")
        val expected = vector.optJSONObject("expected")
        if (expected == null) {
            assertNull(name, notification)
            return
        }
        val fields =
            mapOf(
                "message_id" to notification?.messageId,
                "reference" to notification?.reference,
                "type" to
                    when {
                        notification?.isDataOnly == true -> "cmd"
                        notification?.isImage == true && hasType -> "image"
                        else -> "text"
                    },
                "title" to notification?.title,
                "body" to notification?.body,
                "badge" to notification?.badge,
                "ext" to notification?.ext?.toString(),
                "attachment_url" to notification?.attachmentUrl,
                "intent" to notification?.intent,
            )
        for (key in expected.keys()) assertEquals("$name: $key", expected.text(key), fields[key])
    }

    private fun JSONObject.text(name: String): String? = if (isNull(name)) null else get(name).toString()

    private fun strings(json: JSONObject): Map<String, String> = json.keys().asSequence().associateWith(json::getString)

    @Test
    fun recalls() {
        for (vector in vectors("recalls")) {
            val expected = if (vector.isNull("expected")) null else vector.getString("expected")
            val messageId = CarillonNotification.messageIdOfRecall(vector.getString("payload"))
            assertEquals(vector.getString("name"), expected, messageId)
        }
    }

    @Test
    fun badges() {
        for (vector in vectors("badges"))
            assertEquals(
                vector.toString(),
                vector.getInt("expected"),
                Badges.apply(vector.getInt("current"), vector.getString("change")),
            )
    }

    @Test
    fun reconnects() {
        val steps =
            mapOf(
                "later" to NextStep.LATER,
                "soon" to NextStep.SOON,
                "signed-out" to NextStep.LOGIN,
                "taken-over" to NextStep.WAIT,
            )
        for (vector in vectors("reconnects")) {
            val reasonCode = if (vector.isNull("reason_code")) null else vector.getInt("reason_code")
            assertEquals(vector.toString(), steps[vector.getString("expected")], Reconnects.nextStep(reasonCode))
        }
    }
}
