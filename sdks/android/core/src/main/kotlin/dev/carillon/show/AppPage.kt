package dev.carillon.show

import android.content.Context
import android.content.Intent
import dev.carillon.CarillonNotification
import java.net.URISyntaxException

internal object AppPage {
    /**
     * Returns the page that a notification names. Only pages of this app can be opened, and the intent grants no
     * permissions, because the text comes from outside the app.
     */
    fun of(context: Context, notification: CarillonNotification): Intent? {
        val uri = notification.intent ?: return null
        val page =
            try {
                Intent.parseUri(uri, Intent.URI_INTENT_SCHEME)
            } catch (_: URISyntaxException) {
                return null
            }
        page.component?.let { if (it.packageName != context.packageName) return null }
        // The selector could choose another app, and the clip data could share files of this app.
        page.selector = null
        page.clipData = null
        page.setPackage(context.packageName)
        page.flags = Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TOP
        page.putExtra("reference", notification.reference)
        // `Intent.resolveActivity` does not check whether a named component exists.
        return page.takeIf { context.packageManager.resolveActivity(it, 0) != null }
    }
}
