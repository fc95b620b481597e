package dev.carillon.show

import android.content.Intent
import java.net.URISyntaxException

/** The pages that a notification can open. */
internal object DeepLink {
    /**
     * Parses `intent:#Intent;…;end`, or another URI. Returns null if it is not valid or names another app than
     * [appPackage]. The text comes from outside the app, so the intent has no flags that grant permissions.
     */
    fun parse(uri: String, appPackage: String): Intent? {
        if (!URI.containsMatchIn(uri) || uri.startsWith("android-app:")) return null
        if (uri.startsWith("intent:") && !uri.startsWith("#Intent;", uri.lastIndexOf('#'))) return null
        val page =
            try {
                Intent.parseUri(uri, Intent.URI_INTENT_SCHEME)
            } catch (_: URISyntaxException) {
                return null
            } catch (_: NumberFormatException) {
                return null
            }
        if (listOfNotNull(page.`package`, page.component?.packageName).any { it != appPackage }) return null
        // The selector could choose another app, and the clip data could share files of this app.
        page.selector = null
        page.clipData = null
        page.setPackage(appPackage)
        page.flags = Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TOP
        return page
    }

    private val URI = Regex("""^[a-zA-Z][a-zA-Z0-9+.-]*:""")
}
