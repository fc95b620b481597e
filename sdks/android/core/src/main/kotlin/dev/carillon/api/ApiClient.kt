package dev.carillon.api

import dev.carillon.USER_AGENT
import dev.carillon.readAtMost
import org.json.JSONException
import org.json.JSONObject
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL

/** An error that the API returned. */
class ApiException(val code: Int, message: String) : IOException("$message (code $code)") {
    /** Whether the login has ended, so that the user must log in again. */
    val isLoggedOut: Boolean get() = code in LOGGED_OUT_CODES

    /** Whether a repetition can succeed. */
    val isTemporary: Boolean get() = code in TEMPORARY_CODES || code in 500..599

    /** Whether a field of the request is invalid. */
    val isInvalid: Boolean get() = code == CODE_INVALID

    private companion object {
        const val CODE_INVALID = 10002
        val LOGGED_OUT_CODES = setOf(402, 10003, 10008)
        val TEMPORARY_CODES = setOf(10014, 12029, 12030, 50000, 50003)
    }
}

/** Calls operations of the HTTP API. Each call blocks its thread. */
internal class ApiClient(private val baseUrl: String, private val appId: String) {
    /** Calls an operation. Sends GET if there is no body. */
    fun call(path: String, body: JSONObject?, accessToken: String?): JSONObject {
        // For example, a line break. HTTP would throw an exception that contains the token.
        if (accessToken?.all { it in ' '..'~' } == false) throw ApiException(CODE_TOKEN_INVALID, "The access token is invalid")
        val connection = URL(baseUrl.trimEnd('/') + path).openConnection() as HttpURLConnection
        try {
            connection.connectTimeout = TIMEOUT_MS
            connection.readTimeout = TIMEOUT_MS
            // The access token is only for this host. A redirect would also turn a POST into a GET.
            connection.instanceFollowRedirects = false
            connection.setRequestProperty("User-Agent", USER_AGENT)
            connection.setRequestProperty("app_id", appId)
            accessToken?.let { connection.setRequestProperty("access-token", it) }
            if (body != null) {
                connection.requestMethod = "POST"
                connection.doOutput = true
                connection.setRequestProperty("content-type", "application/json")
                connection.outputStream.use { it.write(body.toString().toByteArray()) }
            }
            return dataOf(connection)
        } finally {
            connection.disconnect()
        }
    }

    private fun dataOf(connection: HttpURLConnection): JSONObject {
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val bytes = stream?.use { it.readAtMost(RESPONSE_BYTES_MAX, RESPONSE_MS_MAX) }
        val envelope =
            try {
                JSONObject(bytes?.decodeToString().orEmpty())
            } catch (_: JSONException) {
                // For example, the login page of a public network. It must not look like a decision of Carillon.
                throw ApiException(CODE_FOREIGN, "The response is not from Carillon")
            }
        val code = envelope.optInt("code", CODE_FOREIGN)
        if (code != 200) throw ApiException(code, envelope.optString("message", "The call failed"))
        return envelope.optJSONObject("data") ?: JSONObject()
    }

    private companion object {
        const val TIMEOUT_MS = 20_000

        /** Responses for devices have a few KB. The limits protect the phone from other servers. */
        const val RESPONSE_BYTES_MAX = 1_048_576
        const val RESPONSE_MS_MAX = 20_000L
        const val CODE_FOREIGN = 502
        const val CODE_TOKEN_INVALID = 10008
    }
}
