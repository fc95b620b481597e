package dev.carillon

import kotlin.math.min

internal object Badges {
    /** On phones, a badge is an int32. */
    private const val MAX = Int.MAX_VALUE.toLong()

    private val PATTERN = Regex("""\+?\d{1,9}""")

    /** Returns the badge after a notification: `5` sets it, and `+5` adds to it. Other texts change nothing. */
    fun apply(current: Int, change: String): Int {
        if (!PATTERN.matches(change)) return current
        val number = change.removePrefix("+").toLong()
        return min(if (change.startsWith("+")) current + number else number, MAX).toInt()
    }
}
