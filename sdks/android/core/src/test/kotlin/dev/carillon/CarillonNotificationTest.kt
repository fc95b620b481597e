package dev.carillon

import dev.carillon.vendor.VendorData
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class CarillonNotificationTest {
    @Test
    fun `reads the payload of the Carillon channel`() {
        val payload =
            """{"task_id":"7","message_id":"9007199254740993","reference":"7.1.2","type":"text","title":"Hello",
              "badge":"5","ext":{"table":7},"android":{"intent":"intent:#Intent;end","channel_id":"orders"}}"""
        val notification = requireNotNull(CarillonNotification.fromPayload(payload))
        assertEquals("9007199254740993", notification.messageId)
        assertEquals(7, notification.ext.getInt("table"))
        assertEquals("orders", notification.channelId)
        assertEquals(5, Badges.apply(2, notification.badge))
        assertNull(notification.body)
        assertNull("an ID that is a number", CarillonNotification.fromPayload("""{"message_id":7}"""))
    }

    @Test
    fun `reads the data of a vendor, and ignores messages of others`() {
        val data = mapOf("mid" to "7", "reference" to "7.1.2", "ext" to """{"table":7}""")
        val notification = requireNotNull(CarillonNotification.fromVendor(data))
        assertEquals("7.1.2", notification.reference)
        assertTrue("nothing is displayed", notification.isDataOnly)
        assertTrue(!requireNotNull(CarillonNotification.fromVendor(data, isDisplayed = true)).isDataOnly)
        assertNull(CarillonNotification.fromVendor(mapOf("message" to "of another service")))
    }

    @Test
    fun `ignores data that is nested too deep, or longer than a message, from another app`() {
        fun nested(levels: Int) = """{"a":""".repeat(levels) + "7" + "}".repeat(levels)
        fun extOf(ext: String) = requireNotNull(CarillonNotification.fromVendor(mapOf("mid" to "7", "ext" to ext))).ext
        assertEquals("the limit of the API", nested(8), extOf(nested(8)).toString())
        for (levels in listOf(100, 11_000)) {
            assertEquals(0, extOf(nested(levels)).length())
            assertEquals(0, extOf("""{"a":${"[".repeat(levels)}${"]".repeat(levels)}}""").length())
            assertNull(CarillonNotification.fromPayload("""{"message_id":"7","ext":${nested(levels)}}"""))
            assertTrue(VendorData.ofJson("""{"mid":"7","ext":${nested(levels)}}""").isEmpty())
        }
        assertNull(CarillonNotification.fromVendor(mapOf("mid" to "7", "ext" to """{"a":"${"x".repeat(140_000)}"}""")))
    }

    @Test
    fun `reads the largest message again from an intent`() {
        val text = "/".repeat(65_000)
        val notification = requireNotNull(CarillonNotification.fromPayload("""{"message_id":"7","body":"$text"}"""))
        assertEquals(text, CarillonNotification.fromPayload(notification.toJson().toString())?.body)
    }
}
