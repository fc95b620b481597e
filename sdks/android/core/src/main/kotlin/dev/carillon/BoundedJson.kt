package dev.carillon

import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/** Parses JSON that another app could have sent. */
internal object BoundedJson {
    /**
     * A message has at most 64 KiB, and its IDs less than 1 KiB. The JSON of Android writes each slash as two characters,
     * so it can be twice as long in an intent or a file.
     */
    private const val CHARACTERS_MAX = 2 * 66_560

    /** `ext` has at most 8 levels. Every recursion over this many levels fits into the stack of any thread. */
    private const val LEVELS_MAX = 32

    /** Returns null if the text is not a JSON object, or is too long or too deep. */
    fun parse(text: String): JSONObject? {
        if (text.length > CHARACTERS_MAX) return null
        return try {
            JSONObject(text).takeIf { isWithin(it, LEVELS_MAX) }
        } catch (_: JSONException) {
            null
        } catch (_: StackOverflowError) {
            // The parser of Android calls itself for each level.
            null
        }
    }

    private fun isWithin(value: Any?, levels: Int): Boolean =
        when (value) {
            is JSONObject -> levels > 0 && value.keys().asSequence().all { isWithin(value.get(it), levels - 1) }
            is JSONArray -> levels > 0 && (0 until value.length()).all { isWithin(value.opt(it), levels - 1) }
            else -> true
        }
}
