package dev.carillon

import dev.carillon.mqtt.NextStep
import dev.carillon.mqtt.Reconnects
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
            val notification = CarillonNotification.fromPayload(vector.getString("payload"))
            val expected = vector.optJSONObject("expected")
            if (expected == null) {
                assertNull(name, notification)
                continue
            }
            val fields =
                mapOf(
                    "message_id" to notification?.messageId,
                    "reference" to notification?.reference,
                    "type" to (if (notification?.isDataOnly == true) "cmd" else "text"),
                    "title" to notification?.title,
                    "body" to notification?.body,
                    "badge" to notification?.badge,
                    "ext" to notification?.ext?.toString(),
                )
            for (key in expected.keys()) assertEquals("$name: $key", expected.get(key).toString(), fields[key])
        }
    }

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
