package dev.carillon.state

import android.util.AtomicFile
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject
import java.io.File
import java.io.FileNotFoundException
import java.util.UUID

/** The login of a user on this device. */
data class Credentials(val accessToken: String, val pushToken: String)

/** A vendor token that is registered for a login. */
internal data class Binding(val provider: Int, val environment: Int, val token: String)

/**
 * The state that survives the end of the process, in one file. The file is in a directory that Android does not back
 * up: two phones with the same device GUID would disconnect each other.
 */
internal class DeviceStore(directory: File) {
    private val file = AtomicFile(File(directory, "carillon.json"))
    private val state = read()

    @get:Synchronized
    val deviceGuid: String
        get() = state.optString(DEVICE_GUID).ifEmpty { UUID.randomUUID().toString().also { write { put(DEVICE_GUID, it) } } }

    @get:Synchronized
    val credentials: Credentials?
        get() = state.optJSONObject(CREDENTIALS)?.let { Credentials(it.getString("access"), it.getString("push")) }

    /** Saves a login. Vendor tokens of another login are forgotten, so that they are registered again. */
    @Synchronized
    fun saveCredentials(credentials: Credentials?) =
        write {
            if (credentials?.pushToken != this@DeviceStore.credentials?.pushToken) {
                remove(BINDINGS)
                remove(BADGE)
            }
            put(
                CREDENTIALS,
                credentials?.let { JSONObject().put("access", it.accessToken).put("push", it.pushToken) },
            )
        }

    @get:Synchronized
    val badge: Int
        get() = state.optInt(BADGE)

    @Synchronized
    fun saveBadge(badge: Int) = write { put(BADGE, badge) }

    /** Records a message ID. Returns false if it was recorded before: the notification was displayed already. */
    @Synchronized
    fun addSeen(messageId: String): Boolean {
        val seen = texts(SEEN)
        if (messageId in seen) return false
        write { put(SEEN, JSONArray((seen + messageId).takeLast(SEEN_MAX))) }
        return true
    }

    /** Forgets a message ID, because the notification could not be displayed. */
    @Synchronized
    fun removeSeen(messageId: String) = write { put(SEEN, JSONArray(texts(SEEN) - messageId)) }

    @Synchronized
    fun reports(kind: ReportKind): List<String> = texts(kind.key)

    /** Keeps a report until the API has accepted it. If there are too many, the oldest are dropped. */
    @Synchronized
    fun addReport(kind: ReportKind, reference: String) =
        write { put(kind.key, JSONArray((texts(kind.key) - reference + reference).takeLast(REPORTS_MAX))) }

    @Synchronized
    fun removeReports(kind: ReportKind, references: Collection<String>) =
        write { put(kind.key, JSONArray(texts(kind.key) - references.toSet())) }

    @get:Synchronized
    val bindings: List<Binding>
        get() = objects(BINDINGS).map { Binding(it.getInt("provider"), it.getInt("environment"), it.getString("token")) }

    @Synchronized
    fun addBinding(binding: Binding) = saveBindings(bindings.filter { it.provider != binding.provider } + binding)

    @Synchronized
    fun removeBinding(provider: Int) = saveBindings(bindings.filter { it.provider != provider })

    private fun saveBindings(bindings: List<Binding>) =
        write {
            put(BINDINGS, JSONArray(bindings.map {
                JSONObject().put("provider", it.provider).put("environment", it.environment).put("token", it.token)
            }))
        }

    /** Taps that no listener has received, as JSON. */
    @get:Synchronized
    val taps: List<String>
        get() = texts(TAPS)

    @Synchronized
    fun addTap(tap: String) = write { put(TAPS, JSONArray((texts(TAPS) + tap).takeLast(TAPS_MAX))) }

    @Synchronized
    fun clearTaps() = write { remove(TAPS) }

    private fun texts(key: String): List<String> =
        state.optJSONArray(key)?.let { list -> List(list.length()) { list.getString(it) } } ?: emptyList()

    private fun objects(key: String): List<JSONObject> =
        state.optJSONArray(key)?.let { list -> List(list.length()) { list.getJSONObject(it) } } ?: emptyList()

    private fun write(change: JSONObject.() -> Unit) {
        state.change()
        val out = file.startWrite()
        try {
            out.write(state.toString().toByteArray())
            file.finishWrite(out)
        } catch (error: java.io.IOException) {
            file.failWrite(out)
            throw error
        }
    }

    /** A file that cannot be read is ignored: the phone then becomes a new device. */
    private fun read(): JSONObject =
        try {
            JSONObject(String(file.readFully()))
        } catch (_: FileNotFoundException) {
            JSONObject()
        } catch (_: JSONException) {
            JSONObject()
        }

    private companion object {
        const val DEVICE_GUID = "device_guid"
        const val CREDENTIALS = "credentials"
        const val BADGE = "badge"
        const val SEEN = "seen"
        const val BINDINGS = "bindings"
        const val TAPS = "taps"
        const val SEEN_MAX = 500
        const val REPORTS_MAX = 500
        const val TAPS_MAX = 10
    }
}

/** What a device reports about a notification. */
internal enum class ReportKind(val key: String) { RECEIPT("receipts"), CLICK("clicks") }
