package dev.carillon

import android.content.Context
import android.content.Intent
import dev.carillon.show.AppPage
import org.json.JSONObject

/** A notification that this device received. */
class CarillonNotification internal constructor(
    /** The same for every copy of the notification, on every channel. */
    val messageId: String,
    /** Identifies the delivery in receipts and clicks. */
    val reference: String,
    val title: String?,
    val body: String?,
    /** Long text, which is displayed instead of [body] when the user expands the notification. */
    val bigText: String?,
    /** Whether the notification contains only data, and nothing is displayed. */
    val isDataOnly: Boolean,
    /** Data of your backend. Empty if there is none. */
    val ext: JSONObject,
    /** The page to open, as `intent:#Intent;…;end`. Null opens the app. */
    val intent: String?,
    /** Notification channel in which to display it. Null means the channel of the configuration. */
    val channelId: String?,
    /** URL of an image, audio or video. */
    val attachmentUrl: String?,
    /** Whether [attachmentUrl] is displayed as a picture. */
    val isImage: Boolean,
    /** Name of a sound in the app, `none` for no sound, or null for the default sound. */
    val sound: String?,
    internal val badge: String,
    /** Unix seconds after which the notification must not be displayed. Null if there is no limit. */
    internal val showEndTime: Long?,
) {
    /** Returns the intent that opens [intent] in this app, or null if the app has no such page. */
    fun pageIntent(context: Context): Intent? = AppPage.of(context, this)

    /** Returns the fields with the names that they have in a payload of the Carillon channel. */
    fun toJson(): JSONObject =
        JSONObject()
            .put("message_id", messageId)
            .put("reference", reference)
            .putOpt("title", title)
            .putOpt("body", body)
            .putOpt("big_text", bigText)
            .put("type", if (isDataOnly) TYPE_DATA else if (isImage) TYPE_IMAGE else TYPE_TEXT)
            .put("badge", badge)
            .put("ext", ext)
            .putOpt("show_end_time", showEndTime)
            .putOpt("attachment_url", attachmentUrl)
            .put(
                "android",
                JSONObject()
                    .putOpt("click_action", intent?.let { "intent" })
                    .putOpt("intent", intent)
                    .putOpt("channel_id", channelId)
                    .putOpt("sound", sound),
            )

    internal companion object {
        private const val TYPE_TEXT = "text"
        private const val TYPE_DATA = "cmd"
        private const val TYPE_IMAGE = "image"
        private const val BADGE_DEFAULT = "+1"
        private val ID = Regex("""\d{1,19}""")

        /** A subset of the strings that `/device/receipt` accepts. References of Carillon are digits and dots. */
        private val REFERENCE = Regex("[0-9A-Za-z._-]{1,64}")

        /** A message of Carillon has at most 64 KiB, and its IDs less than 1 KiB. */
        private const val VENDOR_CHARACTERS_MAX = 66_560
        private val IMAGE_URL = Regex("""https?://.*\.(jpe?g|png)""", RegexOption.IGNORE_CASE)

        /** Parses the payload of the Carillon channel. Returns null if it is not a notification. */
        fun fromPayload(payload: String): CarillonNotification? {
            val json = BoundedJson.parse(payload) ?: return null
            val messageId = json.id() ?: return null
            val android = json.optJSONObject("android") ?: JSONObject()
            val type = json.optString("type")
            return CarillonNotification(
                messageId = messageId,
                reference = referenceOf(json.optString("reference")),
                title = json.text("title"),
                body = json.text("body"),
                bigText = json.text("big_text"),
                isDataOnly = type == TYPE_DATA,
                ext = json.optJSONObject("ext") ?: JSONObject(),
                intent = android.text("intent").takeIf { android.optString("click_action") == "intent" },
                channelId = android.text("channel_id"),
                attachmentUrl = json.text("attachment_url"),
                isImage = type == TYPE_IMAGE,
                sound = android.text("sound"),
                badge = json.text("badge") ?: BADGE_DEFAULT,
                showEndTime = json.optLong("show_end_time").takeIf { it > 0 },
            )
        }

        /**
         * Reads the keys that a vendor passes to the app. Returns null if the message is not from Carillon. [title] and
         * [body] are the texts outside the data. Without them, it is a data-only message, unless the phone displayed it.
         */
        fun fromVendor(
            data: Map<String, String>,
            title: String? = null,
            body: String? = null,
            isDisplayed: Boolean = false,
        ): CarillonNotification? {
            val messageId = data["mid"]?.takeIf(ID::matches) ?: return null
            val characters = data.values.sumOf(String::length) + title.orEmpty().length + body.orEmpty().length
            if (characters > VENDOR_CHARACTERS_MAX) return null
            val attachmentUrl = data["attachment_url"]
            return CarillonNotification(
                messageId = messageId,
                reference = referenceOf(data["reference"]),
                title = (title ?: data["title"])?.ifEmpty { null },
                body = (body ?: data["body"])?.ifEmpty { null },
                bigText = data["big_text"],
                isDataOnly = title == null && body == null && !isDisplayed,
                ext = data["ext"]?.let(BoundedJson::parse) ?: JSONObject(),
                intent = data["intent"]?.ifEmpty { null },
                // Only FCM has it, and its module adds it to the data.
                channelId = data["channel_id"]?.ifEmpty { null },
                attachmentUrl = attachmentUrl,
                // A vendor does not pass the type. Carillon requires these endings for the type `image`.
                isImage = attachmentUrl != null && IMAGE_URL.matches(attachmentUrl),
                sound = null,
                badge = data["badge"] ?: BADGE_DEFAULT,
                showEndTime = null,
            )
        }

        /** Returns the message ID of a recall, or null if the payload is not a recall. */
        fun messageIdOfRecall(payload: String): String? = BoundedJson.parse(payload)?.id()

        /** Returns an empty string instead of a reference that the API would reject. Another app can send one. */
        private fun referenceOf(text: String?): String = text?.takeIf(REFERENCE::matches).orEmpty()

        /** IDs are strings, because a number could lose digits. */
        private fun JSONObject.id(): String? = (opt("message_id") as? String)?.takeIf(ID::matches)

        private fun JSONObject.text(name: String): String? = if (isNull(name)) null else optString(name).ifEmpty { null }
    }
}
