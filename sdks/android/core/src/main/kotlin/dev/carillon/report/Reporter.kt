package dev.carillon.report

import dev.carillon.api.ApiClient
import dev.carillon.api.ApiException
import dev.carillon.state.DeviceStore
import dev.carillon.state.ReportKind
import org.json.JSONArray
import org.json.JSONObject

/** Sends receipts and clicks. The store keeps each one until the API has accepted or rejected it. */
internal class Reporter(private val store: DeviceStore, private val api: ApiClient) {
    /** Returns whether nothing is left to send. Throws an exception if the API could not be reached. */
    fun sendAll(): Boolean {
        val credentials = store.credentials ?: return true
        for (kind in ReportKind.entries) {
            var batch = store.reports(kind).take(BATCH_MAX)
            while (batch.isNotEmpty()) {
                val body = JSONObject().put("list", JSONArray(batch))
                if (kind == ReportKind.CLICK) body.put("event", "clicked")
                try {
                    api.call("/device/receipt", body, credentials.accessToken)
                } catch (error: ApiException) {
                    // A rejected report would be rejected again. An ended login is reported by the next login.
                    if (error.isTemporary) throw error
                    if (error.isLoggedOut) return true
                }
                store.removeReports(kind, batch)
                batch = store.reports(kind).take(BATCH_MAX)
            }
        }
        return true
    }

    private companion object {
        /** Limit of `/device/receipt`. */
        const val BATCH_MAX = 100
    }
}
