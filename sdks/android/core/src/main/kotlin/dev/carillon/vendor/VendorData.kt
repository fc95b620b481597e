package dev.carillon.vendor

import android.content.Intent
import dev.carillon.BoundedJson

/** Converts the data that a vendor's SDK passes to the app. Vendor modules use it. */
object VendorData {
    /**
     * Returns the values of a JSON object as strings. Returns an empty map if the text is not a JSON object, or is longer or
     * deeper than any message of Carillon.
     */
    @JvmStatic
    fun ofJson(text: String?): Map<String, String> {
        val json = BoundedJson.parse(text.orEmpty()) ?: return emptyMap()
        return json.keys().asSequence().associateWith { json.get(it).toString() }
    }

    /** The keys of the data that Carillon sends to vendors. */
    private val keys =
        listOf("mid", "reference", "title", "body", "big_text", "ext", "intent", "channel_id", "attachment_url", "badge")

    /**
     * Returns the extras of Carillon. Another app can send extras that cannot be read, which are ignored. Other extras are
     * not read, because they can contain objects of any class of the app.
     */
    @JvmStatic
    fun ofExtras(intent: Intent): Map<String, String> = keys.mapNotNull { key -> textOf(intent, key)?.let { key to it } }.toMap()

    private fun textOf(intent: Intent, key: String): String? =
        try {
            intent.getStringExtra(key)
        } catch (_: RuntimeException) {
            null
        } catch (_: StackOverflowError) {
            // Android calls itself for each level of nested extras.
            null
        }
}
