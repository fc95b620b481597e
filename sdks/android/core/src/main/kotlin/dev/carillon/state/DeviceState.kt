package dev.carillon.state

import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/** The login of a user on this device. */
data class Credentials(val accessToken: String, val pushToken: String) {
    /** Contains no token, because an app can log it. */
    override fun toString(): String = "Credentials(…)"
}

/** A vendor token that is registered for the current login, and the time of the registration in epoch milliseconds. */
internal data class Binding(val environment: Int, val token: String, val boundAtMs: Long)

/** The keys of the last registration at a vendor that its end needs. An app contains them, so they are no secrets. */
internal data class Registration(val appId: String, val appKey: String)

/** What a device reports about a notification. */
internal enum class ReportKind(val key: String) { RECEIPT("receipts"), CLICK("clicks") }

/** Everything that survives the end of the process. Each list drops its oldest entries when it is full. */
internal class DeviceState(
    var deviceGuid: String = "",
    var credentials: Credentials? = null,
    /** Push token of the user to whom the following data belongs. It stays when the login has expired. */
    var owner: String = "",
    /** The login has ended, and no listener has been notified. */
    var isLogoutUnseen: Boolean = false,
    var badge: Int = 0,
    /** The user has changed, and the API knows no vendor token of the new one. Vendors have only older messages. */
    var awaitsToken: Boolean = false,
    /** The badge that the app has set, until the API knows it. */
    var unsentBadge: Int? = null,
    /** The last state of the phone that the API has accepted. */
    var sentState: String = "",
    val bindings: MutableMap<Int, Binding> = LinkedHashMap(),
    val reports: Map<ReportKind, MutableSet<String>> = ReportKind.entries.associateWith { LinkedHashSet() },
    /** Taps and data-only notifications that no listener has received, as JSON. */
    val taps: MutableList<String> = ArrayList(),
    val messages: MutableList<String> = ArrayList(),
    /**
     * Access tokens of earlier logins that the API does not know to have ended, with their push tokens. A push token is
     * empty if an earlier build has stored the access token.
     */
    val logouts: MutableMap<String, String> = LinkedHashMap(),
    /** IDs of notifications that were displayed. They belong to the device, like the vendor tokens and errors. */
    val seen: MutableSet<String> = LinkedHashSet(),
    val tokens: MutableMap<Int, String> = LinkedHashMap(),
    val vendorErrors: MutableMap<Int, String> = LinkedHashMap(),
    /** The vendors at which a logout must end the registration. */
    val registrations: MutableMap<Int, Registration> = LinkedHashMap(),
    /** The taps of the device, by the reference of the notification, which also names its user. */
    val tapped: MutableSet<String> = LinkedHashSet(),
) {
    fun forgetUser() {
        if (owner.isNotEmpty()) awaitsToken = true
        owner = ""
        badge = 0
        unsentBadge = null
        sentState = ""
        bindings.clear()
        reports.values.forEach(MutableSet<String>::clear)
        taps.clear()
        messages.clear()
    }

    fun toJson(): JSONObject =
        JSONObject()
            .put("device_guid", deviceGuid)
            .putOpt("credentials", credentials?.let { JSONObject().put("access", it.accessToken).put("push", it.pushToken) })
            .put("owner", owner)
            .put("logout_unseen", isLogoutUnseen)
            .put("awaits_token", awaitsToken)
            .put("badge", badge)
            .putOpt("unsent_badge", unsentBadge)
            .put("sent_state", sentState)
            .put("bindings", JSONObject().also { json -> bindings.forEach { (key, value) -> json.put("$key", value.toJson()) } })
            .put("reports", JSONObject().also { json -> reports.forEach { (key, value) -> json.put(key.key, JSONArray(value)) } })
            .put("taps", JSONArray(taps))
            .put("messages", JSONArray(messages))
            .put("logouts", JSONObject(logouts.toMap()))
            .put("seen", JSONArray(seen))
            .put("tokens", JSONObject(tokens.mapKeys { it.key.toString() }))
            .put("vendor_errors", JSONObject(vendorErrors.mapKeys { it.key.toString() }))
            .put("registrations", JSONObject().also { json -> registrations.forEach { (key, value) -> json.put("$key", value.toJson()) } })
            .put("tapped", JSONArray(tapped))

    companion object {
        @Throws(JSONException::class)
        fun fromJson(json: JSONObject): DeviceState {
            val state =
                DeviceState(
                    deviceGuid = json.getString("device_guid"),
                    credentials = json.optJSONObject("credentials")?.let { Credentials(it.getString("access"), it.getString("push")) },
                    owner = json.getString("owner"),
                    // Both are absent in files of earlier builds.
                    isLogoutUnseen = json.optBoolean("logout_unseen"),
                    awaitsToken = json.optBoolean("awaits_token"),
                    badge = json.getInt("badge"),
                    unsentBadge = if (json.has("unsent_badge")) json.getInt("unsent_badge") else null,
                    sentState = json.getString("sent_state"),
                )
            val bindings = json.getJSONObject("bindings")
            for (key in bindings.keys()) state.bindings[key.toInt()] = bindingOf(bindings.getJSONObject(key))
            val reports = json.getJSONObject("reports")
            for ((kind, references) in state.reports) references += texts(reports.getJSONArray(kind.key))
            state.taps += texts(json.getJSONArray("taps"))
            state.messages += texts(json.getJSONArray("messages"))
            // Earlier builds stored only the access tokens.
            json.optJSONArray("logouts")?.let { for (accessToken in texts(it)) state.logouts[accessToken] = "" }
            json.optJSONObject("logouts")?.let { all -> for (accessToken in all.keys()) state.logouts[accessToken] = all.getString(accessToken) }
            state.seen += texts(json.getJSONArray("seen"))
            state.tokens += textsByNumber(json.getJSONObject("tokens"))
            state.vendorErrors += textsByNumber(json.getJSONObject("vendor_errors"))
            // Both are absent in files of earlier builds.
            json.optJSONObject("registrations")?.let { all ->
                for (key in all.keys()) state.registrations[key.toInt()] = registrationOf(all.getJSONObject(key))
            }
            json.optJSONArray("tapped")?.let { state.tapped += texts(it) }
            return state
        }

        private fun Binding.toJson() = JSONObject().put("environment", environment).put("token", token).put("bound_at", boundAtMs)

        private fun bindingOf(json: JSONObject) = Binding(json.getInt("environment"), json.getString("token"), json.getLong("bound_at"))

        private fun Registration.toJson() = JSONObject().put("app_id", appId).put("app_key", appKey)

        private fun registrationOf(json: JSONObject) = Registration(json.getString("app_id"), json.getString("app_key"))

        private fun texts(list: JSONArray): List<String> = List(list.length(), list::getString)

        private fun textsByNumber(json: JSONObject): Map<Int, String> =
            json.keys().asSequence().associate { it.toInt() to json.getString(it) }
    }
}
