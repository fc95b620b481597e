package dev.carillon.state

import android.util.AtomicFile
import dev.carillon.vendor.Vendor
import org.json.JSONException
import org.json.JSONObject
import java.io.File
import java.io.IOException
import java.util.UUID
import java.util.concurrent.Executor
import kotlin.math.abs

/**
 * The state of the device in memory, and its copy in one file. A change is visible immediately. [executor], a single
 * thread, writes the file, and one write contains all changes that were made until then. The file is in a directory that
 * Android does not back up: two phones with the same device GUID would disconnect each other.
 */
internal class DeviceStore(
    private val directory: () -> File,
    private val executor: Executor,
    private val log: (String) -> Unit = {},
) {
    private val lock = Any()
    private val writeLock = Any()
    private val file by lazy { AtomicFile(File(directory(), FILE)) }

    /** The content of the file, with all changes. Null until the file has been read. */
    private var loaded: DeviceState? = null

    /** Replaces the state while the file exists, but cannot be read. It is written only after a login or logout. */
    private val substitute = DeviceState()

    /** The first access reads the file. If this fails, the next access tries again. */
    private val state: DeviceState
        get() = loaded ?: load()?.also { loaded = it } ?: substitute
    private var isDirty = false
    private var isWriteQueued = false

    /** The message IDs between [beginDisplay] and [endDisplay]. */
    private val displaying = HashSet<String>()

    /** Changed under [writeLock]. */
    private var isClosed = false

    val deviceGuid: String
        get() = synchronized(lock) { state.deviceGuid.ifEmpty { change { UUID.randomUUID().toString().also { deviceGuid = it } } } }

    val credentials: Credentials?
        get() = read { credentials }

    /** Push token of the user to whom the data belongs, also after the login has ended. Null after a logout. */
    val owner: String?
        get() = read { owner.ifEmpty { null } }

    /**
     * Saves a login. Another push token means another user, or another device: nothing of the previous one remains.
     * Returns whether it is another one. If the API did not get a logout, the next login of the same user has the same push
     * token. The logout would end this login too, so it is dropped.
     */
    fun use(new: Credentials): Boolean =
        change {
            // This login would be lost if the file replaced the state later.
            loaded = this
            val old = credentials
            val isOther = owner != new.pushToken
            if (isOther) {
                if (old != null) addLogoutOf(old)
                forgetUser()
            }
            logouts.values.removeAll(setOf(new.pushToken))
            owner = new.pushToken
            credentials = new
            isLogoutUnseen = false
            isOther
        }

    /** Forgets a login that has expired. Reports stay for the next login of the same user. Returns whether it was current. */
    fun endLogin(ended: Credentials): Boolean =
        change {
            val isCurrent = credentials == ended
            if (isCurrent) {
                credentials = null
                isLogoutUnseen = true
            }
            isCurrent
        }

    /** Forgets the user, and keeps the access token until the API knows of the logout. */
    fun logout() =
        change {
            // As with a login, the file must not replace this later.
            loaded = this
            credentials?.let { addLogoutOf(it) }
            credentials = null
            isLogoutUnseen = false
            forgetUser()
        }

    /** Returns whether a login has ended that no listener knows of. Each end is returned once. */
    fun takeLogoutUnseen(): Boolean =
        if (read { isLogoutUnseen }) change { isLogoutUnseen.also { isLogoutUnseen = false } } else false

    /** Whether the file has been read, or replaced. If not, the state is that of a new device for now. */
    val isReadable: Boolean
        get() = read { loaded != null }

    val logouts: List<String>
        get() = read { logouts.keys.toList() }

    /** Keeps the access token of a login that is not used, until the API has ended it. */
    fun addLogout(unused: Credentials) = change { addLogoutOf(unused) }

    fun removeLogout(accessToken: String) = change { logouts.remove(accessToken) }

    private fun DeviceState.addLogoutOf(ended: Credentials) {
        logouts[ended.accessToken] = ended.pushToken
        while (logouts.size > LOGOUTS_MAX) logouts.remove(logouts.keys.first())
    }

    val badge: Int
        get() = read { badge }

    /** Sets the badge, and keeps it for the API. */
    fun setBadge(newBadge: Int) =
        change {
            badge = newBadge
            unsentBadge = newBadge
        }

    /** The badge that the API must learn, because it counts on from there. Only UnifiedPush gets absolute numbers. */
    val unsentBadge: Int?
        get() = read { unsentBadge?.takeIf { Vendor.UNIFIED_PUSH.provider in tokens } }

    fun removeUnsentBadge(sent: Int) = change { if (unsentBadge == sent) unsentBadge = null }

    fun changeBadge(newBadge: (Int) -> Int): Int = change { newBadge(badge).also { badge = it } }

    /** Records a message ID. Returns false if it was recorded before: the notification was displayed already. */
    fun addSeen(messageId: String): Boolean =
        change { (messageId !in seen).also { isNew -> if (isNew) addTo(seen, messageId, SEEN_MAX) } }

    /**
     * Returns whether the caller must display a notification, and then call [endDisplay]. Only that call records the ID:
     * if the process ends before, the next copy must not be mistaken for a repeat.
     */
    fun beginDisplay(messageId: String): Boolean = read { messageId !in seen && displaying.add(messageId) }

    fun isSeen(messageId: String): Boolean = read { messageId in seen }

    fun endDisplay(messageId: String, isDisplayed: Boolean) {
        if (isDisplayed) addSeen(messageId)
        read { displaying.remove(messageId) }
    }

    /** Returns the oldest reports of the user with this push token. It is empty if there is another user now. */
    fun reports(kind: ReportKind, pushToken: String, max: Int): List<String> =
        read { if (owner == pushToken) reports.getValue(kind).take(max) else emptyList() }

    /** Whether reports can be sent. Without a login, they wait for the next login of the same user. */
    val hasReports: Boolean
        get() = read { credentials != null && reports.values.any { it.isNotEmpty() } }

    /** Keeps a report until the API has accepted it. Without a login, it would be rejected. */
    fun addReport(kind: ReportKind, reference: String) =
        change { if (credentials != null) addTo(reports.getValue(kind), reference, REPORTS_MAX) }

    fun removeReports(kind: ReportKind, references: Collection<String>) =
        change { reports.getValue(kind).removeAll(references.toSet()) }

    /** Vendor tokens by provider. */
    val tokens: Map<Int, String>
        get() = read { tokens.toMap() }

    /** Keeps a vendor token for this and each later login. */
    fun saveToken(provider: Int, token: String) =
        change {
            tokens[provider] = token
            vendorErrors.remove(provider)
        }

    /** Removes the token of a vendor, but not a later one than [token] if that is given. */
    fun removeToken(provider: Int, token: String? = null) =
        change { if (token == null || tokens[provider] == token) tokens.remove(provider) }

    /** Keeps the registration at a vendor until [takeRegistration], also for later processes. */
    fun saveRegistration(provider: Int, registration: Registration) = change { registrations[provider] = registration }

    /** Returns the registration that a logout must end, once. Null if there is none. */
    fun takeRegistration(provider: Int): Registration? =
        if (read { provider in registrations }) change { registrations.remove(provider) } else null

    val vendorErrors: Map<Int, String>
        get() = read { vendorErrors.toSortedMap() }

    fun saveVendorError(provider: Int, error: String) = change { vendorErrors[provider] = error }

    /** Returns whether the token is registered for the current login. A registration is repeated after a week. */
    fun isBound(provider: Int, environment: Int, token: String, nowMs: Long): Boolean =
        read {
            val binding = bindings[provider]
            // The clock of the phone can be wrong in both directions.
            binding != null && binding.environment == environment && binding.token == token &&
                abs(nowMs - binding.boundAtMs) < BINDING_MS_MAX
        }

    /** Records that the API may know a vendor token of this user from now on. Called before the API is called. */
    fun offerToken(pushToken: String) {
        if (!read { awaitsToken }) return
        change { if (credentials?.pushToken == pushToken) awaitsToken = false }
        flush()
    }

    /**
     * Returns the push token of the user to whom a vendor can have sent a message. Null if there is no login, or if the API
     * cannot know a vendor token of it yet: then the message was sent to the previous user.
     */
    val vendorRecipient: String?
        get() = read { if (awaitsToken) null else credentials?.pushToken }

    /** Does nothing if the user has changed while the API was called. */
    fun addBinding(pushToken: String, provider: Int, binding: Binding) =
        change { if (credentials?.pushToken == pushToken) bindings[provider] = binding }

    /** Vendors whose token is registered, but no longer valid. */
    val endedBindings: Set<Int>
        get() = read { bindings.keys - tokens.keys }

    fun removeBinding(provider: Int) = change { bindings.remove(provider) }

    val sentState: String
        get() = read { sentState }

    fun saveSentState(pushToken: String, body: String) =
        change { if (credentials?.pushToken == pushToken) sentState = body }

    /** Keeps a tap for the app. Returns false if this tap was kept before. */
    fun addTap(id: String, tap: String): Boolean =
        synchronized(lock) {
            val isNew = id !in state.tapped
            if (isNew) {
                change {
                    addTo(taps, tap, WAITING_MAX)
                    addTo(tapped, id, TAPPED_MAX)
                }
            }
            isNew
        }

    fun addMessage(message: String) = change { addTo(messages, message, WAITING_MAX) }

    /** Returns and removes the taps that no listener has received. */
    fun takeTaps(): List<String> = if (read { taps.isEmpty() }) emptyList() else change { taps.toList().also { taps.clear() } }

    /** Returns and removes the data-only notifications that no listener has received. */
    fun takeMessages(): List<String> =
        if (read { messages.isEmpty() }) emptyList() else change { messages.toList().also { messages.clear() } }

    /** Writes the file on this thread. */
    fun flush() = write()

    /** Writes the file on this thread, and never again, because the next store uses the same file. */
    fun close() =
        synchronized(writeLock) {
            write()
            isClosed = true
        }

    /** Runs an action when the file contains all earlier changes. */
    fun whenStored(action: () -> Unit) =
        executor.execute {
            write()
            action()
        }

    private fun <T> read(value: DeviceState.() -> T): T = synchronized(lock) { state.value() }

    private fun <T> change(change: DeviceState.() -> T): T =
        synchronized(lock) {
            val result = state.change()
            isDirty = true
            if (!isWriteQueued) {
                isWriteQueued = true
                executor.execute(::write)
            }
            result
        }

    private fun write() = synchronized(writeLock) { if (!isClosed) writeIfDirty() }

    private fun writeIfDirty() {
        val bytes =
            synchronized(lock) {
                isWriteQueued = false
                val current = loaded
                if (!isDirty || current == null) return
                isDirty = false
                current.toJson().toString().toByteArray()
            }
        try {
            val out = file.startWrite()
            try {
                out.write(bytes)
                file.finishWrite(out)
            } catch (error: IOException) {
                file.failWrite(out)
                throw error
            }
        } catch (error: IOException) {
            // The next change writes everything again. Until then, the state is only in memory.
            log("The state was not stored: ${error.javaClass.simpleName}")
            synchronized(lock) { isDirty = true }
        }
    }

    /**
     * Returns null if the file exists, but cannot be read, for example because the process has too many open files. If the
     * file is absent or damaged, the phone becomes a new device.
     */
    private fun load(): DeviceState? =
        try {
            DeviceState.fromJson(JSONObject(String(file.readFully())))
        } catch (error: IOException) {
            if (file.baseFile.exists()) {
                log("The state could not be read: ${error.javaClass.simpleName}")
                null
            } else {
                DeviceState()
            }
        } catch (_: JSONException) {
            DeviceState()
        } catch (_: NumberFormatException) {
            DeviceState()
        }

    private fun addTo(list: MutableCollection<String>, value: String, max: Int) {
        list.remove(value)
        list.add(value)
        val oldest = list.iterator()
        while (list.size > max && oldest.hasNext()) {
            oldest.next()
            oldest.remove()
        }
    }

    internal companion object {
        const val FILE = "carillon.json"

        /** The limits keep the file below 300 KB. An inbox has 100 notifications, and duplicates arrive within hours. */
        const val SEEN_MAX = 1_000
        const val REPORTS_MAX = 1_000
        const val WAITING_MAX = 20

        /** More than a task of Android has activities that can each be restored with the intent of a tap. */
        const val TAPPED_MAX = 100
        const val LOGOUTS_MAX = 5

        /** Carillon ends a binding that a vendor reports as dead, so the SDK repeats it from time to time. */
        const val BINDING_MS_MAX = 7 * 24 * 3_600_000L
    }
}
