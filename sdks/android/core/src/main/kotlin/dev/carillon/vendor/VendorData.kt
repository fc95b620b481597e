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

    /** Returns the extras that are strings. Another app can send extras that cannot be read. They are ignored. */
    @JvmStatic
    fun ofExtras(intent: Intent): Map<String, String> =
        try {
            val extras = intent.extras
            @Suppress("DEPRECATION") // the types of the values are not known
            extras?.keySet().orEmpty().mapNotNull { key -> (extras?.get(key) as? String)?.let { key to it } }.toMap()
        } catch (_: RuntimeException) {
            emptyMap()
        }
}
