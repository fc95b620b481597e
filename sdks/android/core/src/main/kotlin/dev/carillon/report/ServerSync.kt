package dev.carillon.report

import dev.carillon.SDK_VERSION
import dev.carillon.WallClock
import dev.carillon.api.ApiClient
import dev.carillon.api.ApiException
import dev.carillon.state.Binding
import dev.carillon.state.Credentials
import dev.carillon.state.DeviceStore
import dev.carillon.state.ReportKind
import dev.carillon.vendor.Vendor
import org.json.JSONArray
import org.json.JSONObject
import java.io.IOException

/**
 * Sends everything to the API that the store still keeps: logouts, vendor tokens, the state of the phone, the badge,
 * receipts and clicks. Each step can be repeated, so it may end at any point. Used by one thread.
 */
internal class ServerSync(
    private val store: DeviceStore,
    private val api: ApiClient,
    private val environment: Int,
    private val areNotificationsAllowed: () -> Boolean,
    private val onLoginEnded: (Credentials) -> Unit,
    private val onTokenBound: (Credentials, Vendor, String) -> Unit,
    private val log: (String) -> Unit,
) {
    /** Calls that the API has rejected for good, so that they are not repeated until they change or the app starts again. */
    private val rejected = HashMap<String, String>()

    /** Returns whether nothing is left. */
    fun run(): Boolean {
        val hasLoggedOut = attempt("Logout", ::sendLogouts)
        val credentials = store.credentials ?: return hasLoggedOut
        val steps =
            listOf<Pair<String, () -> Unit>>(
                "Vendor token" to { bindTokens(credentials) },
                "State" to { sendState(credentials) },
                "Badge" to { sendBadge(credentials) },
                "Receipts" to { sendReports(ReportKind.RECEIPT, credentials) },
                "Clicks" to { sendReports(ReportKind.CLICK, credentials) },
            )
        return try {
            steps.map { (name, step) -> attempt(name, step) }.all { it } && hasLoggedOut
        } catch (_: LoginEnded) {
            onLoginEnded(credentials)
            hasLoggedOut
        }
    }

    /** Returns false if a repetition can succeed. An unreachable API delays the other steps by its timeout only once. */
    private fun attempt(name: String, step: () -> Unit): Boolean =
        try {
            step()
            true
        } catch (error: ApiException) {
            if (error.isLoggedOut) throw LoginEnded()
            log("$name: the API returned code ${error.code}.")
            !error.isTemporary
        }

    /** Throws the first temporary error, after all logouts have been tried, or after [failuresMax] of them have failed. */
    fun sendLogouts(failuresMax: Int = Int.MAX_VALUE) {
        var failure: ApiException? = null
        var failures = 0
        for (accessToken in store.logouts) {
            // A login of the same user has dropped it.
            if (accessToken !in store.logouts) continue
            try {
                api.call("/token/logout", JSONObject(), accessToken)
            } catch (error: ApiException) {
                if (error.isTemporary) {
                    failure = failure ?: error
                    if (++failures == failuresMax) break
                    continue
                }
                // The login has already ended.
            }
            store.removeLogout(accessToken)
        }
        failure?.let { throw it }
    }

    private fun bindTokens(credentials: Credentials) {
        for (provider in store.endedBindings) {
            val body = JSONObject().put("provider", provider)
            callOnce("unbind $provider", credentials.pushToken) { api.call("/device/unbind", body, credentials.accessToken) }
            store.removeBinding(provider)
        }
        for ((provider, token) in store.tokens) {
            val nowMs = WallClock.nowMs()
            val call = "${credentials.pushToken} $environment $token"
            if (rejected["bind $provider"] == call || store.isBound(provider, environment, token, nowMs)) continue
            val body = JSONObject().put("provider", provider).put("environment", environment).put("token", token)
            store.offerToken(credentials.pushToken)
            callOnce("bind $provider", call) { api.call("/device/bind", body, credentials.accessToken) } ?: continue
            store.addBinding(credentials.pushToken, provider, Binding(environment, token, nowMs))
            Vendor.entries.find { it.provider == provider }?.let { onTokenBound(credentials, it, token) }
        }
    }

    /** Explains to operators why this phone displays nothing. A version of Carillon without this operation rejects it. */
    private fun sendState(credentials: Credentials) {
        val errors = store.vendorErrors.map { (provider, error) -> JSONObject().put("provider", provider).put("error", error) }
        val body =
            JSONObject()
                .put("client", "android $SDK_VERSION")
                .put("notifications", if (areNotificationsAllowed()) "allowed" else "denied")
                .put("vendor_errors", JSONArray(errors))
        val text = body.toString()
        val call = "${credentials.pushToken} $text"
        if (text == store.sentState || rejected["state"] == call) return
        callOnce("state", call) { api.call("/device/state", body, credentials.accessToken) } ?: return
        store.saveSentState(credentials.pushToken, text)
    }

    private fun sendBadge(credentials: Credentials) {
        val badge = store.unsentBadge ?: return
        val body = JSONObject().put("badge", badge.coerceAtMost(BADGE_MAX))
        callOnce("badge", "${credentials.pushToken} $badge") { api.call("/device/badge", body, credentials.accessToken) }
        store.removeUnsentBadge(badge)
    }

    private fun sendReports(kind: ReportKind, credentials: Credentials) {
        while (true) {
            val batch = store.reports(kind, credentials.pushToken, BATCH_MAX)
            if (batch.isEmpty()) return
            sendBatch(kind, batch, credentials)
        }
    }

    /** The API rejects a list with one invalid report, so each report of such a list is sent separately. */
    private fun sendBatch(kind: ReportKind, batch: List<String>, credentials: Credentials) {
        val body = JSONObject().put("list", JSONArray(batch))
        if (kind == ReportKind.CLICK) body.put("event", "clicked")
        try {
            api.call("/device/receipt", body, credentials.accessToken)
        } catch (error: ApiException) {
            if (error.isTemporary || error.isLoggedOut) throw error
            if (error.isInvalid && batch.size > 1) {
                for (report in batch) sendBatch(kind, listOf(report), credentials)
                return
            }
            // A rejected report would be rejected again.
            log("${batch.size} reports were rejected with code ${error.code}.")
        }
        store.removeReports(kind, batch)
    }

    /** Returns null if the API has rejected the call for good. */
    private fun callOnce(name: String, content: String, call: () -> JSONObject): JSONObject? =
        try {
            call().also { rejected -= name }
        } catch (error: ApiException) {
            if (error.isTemporary || error.isLoggedOut) throw error
            log("The API rejected a call with code ${error.code}.")
            rejected[name] = content
            null
        }

    private class LoginEnded : IOException()

    internal companion object {
        /** Limit of `/device/badge`. */
        private const val BADGE_MAX = 999_999_999

        /** Limit of `/device/receipt`. */
        const val BATCH_MAX = 100
    }
}
