package dev.carillon

import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.util.concurrent.TimeUnit

/** Reads the whole stream. Returns null if it has more than [bytesMax] bytes, or takes longer than [msMax]. */
internal fun InputStream.readAtMost(bytesMax: Int, msMax: Long): ByteArray? {
    val endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(msMax)
    val out = ByteArrayOutputStream()
    val buffer = ByteArray(16_384)
    var count = read(buffer)
    while (count >= 0) {
        out.write(buffer, 0, count)
        if (out.size() > bytesMax || System.nanoTime() > endNs) return null
        count = read(buffer)
    }
    return out.toByteArray()
}
