package dev.carillon

import dev.carillon.mqtt.Gateway
import dev.carillon.vendor.VendorPush
import java.net.MalformedURLException
import java.net.URL

/** Settings of the SDK. Throws an IllegalArgumentException if a URL is invalid. */
class CarillonConfig(
    /** URL of the API, such as `https://push.example.com`. */
    val apiUrl: String,
    /** URL of the gateway, such as `mqtts://push.example.com`. */
    val gatewayUrl: String,
    val appId: String,
    /** Resource of the icon in the status bar. */
    val smallIcon: Int,
    /** Notification channel for notifications that name no channel of the app. */
    val channelId: String = "carillon",
    /** Name of this channel in the settings of the phone. */
    val channelName: String = "Notifications",
    /** The vendor modules that the app includes. The SDK uses those that suit the phone. */
    val vendors: List<VendorPush> = emptyList(),
    /** Environment of the vendor tokens: 1 for production, 0 for test messages of some vendors. */
    val environment: Int = 1,
    /** Receives log lines of the SDK. They contain no tokens and no text of notifications. */
    val log: ((String) -> Unit)? = null,
) {
    init {
        require(isApiUrl(apiUrl)) { "apiUrl must be an https:// or http:// URL: $apiUrl" }
        Gateway.parse(gatewayUrl)
    }

    private fun isApiUrl(text: String): Boolean =
        try {
            val url = URL(text)
            url.protocol in setOf("https", "http") && url.host.isNotEmpty()
        } catch (_: MalformedURLException) {
            false
        }
}
