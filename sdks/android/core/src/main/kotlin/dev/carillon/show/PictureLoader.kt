package dev.carillon.show

import android.graphics.Bitmap
import android.graphics.BitmapFactory
import dev.carillon.USER_AGENT
import dev.carillon.readAtMost
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL

/** Loads pictures of notifications. A picture that is too large or too slow is left out. */
internal object PictureLoader {
    /** Limit of the API for images. */
    private const val BYTES_MAX = 1_048_576
    private const val TIMEOUT_MS = 5_000
    private const val TOTAL_MS_MAX = 10_000L

    /** Longer edges cost memory in the system's process, and no phone displays them in a notification. */
    private const val EDGE_PIXELS_MAX = 1_600

    /** Returns null if the picture cannot be displayed. */
    fun load(url: String): Bitmap? =
        try {
            bytesOf(url)?.let(::decode)
        } catch (_: IOException) {
            null
        } catch (_: OutOfMemoryError) {
            // A picture with the longest edges needs 10 MB.
            null
        }

    private fun bytesOf(url: String): ByteArray? {
        val connection = URL(url).openConnection() as? HttpURLConnection ?: return null
        try {
            connection.connectTimeout = TIMEOUT_MS
            connection.readTimeout = TIMEOUT_MS
            connection.setRequestProperty("User-Agent", USER_AGENT)
            if (connection.responseCode != HttpURLConnection.HTTP_OK) return null
            return connection.inputStream.use { it.readAtMost(BYTES_MAX, TOTAL_MS_MAX) }
        } finally {
            connection.disconnect()
        }
    }

    private fun decode(bytes: ByteArray): Bitmap? {
        val options = BitmapFactory.Options().apply { inJustDecodeBounds = true }
        BitmapFactory.decodeByteArray(bytes, 0, bytes.size, options)
        if (options.outWidth <= 0 || options.outHeight <= 0) return null
        options.inSampleSize = 1
        while (maxOf(options.outWidth, options.outHeight) / options.inSampleSize > EDGE_PIXELS_MAX) options.inSampleSize *= 2
        options.inJustDecodeBounds = false
        return BitmapFactory.decodeByteArray(bytes, 0, bytes.size, options)
    }
}
