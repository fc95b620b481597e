package dev.carillon.show

import android.content.Context
import android.content.Intent
import dev.carillon.CarillonNotification

internal object AppPage {
    /** Returns the page that a notification names, if it is a page of this app that exists. */
    fun of(context: Context, notification: CarillonNotification): Intent? {
        val page = notification.intent?.let { DeepLink.parse(it, context.packageName) } ?: return null
        page.putExtra("reference", notification.reference)
        // `Intent.resolveActivity` does not check whether a named component exists.
        return page.takeIf { context.packageManager.resolveActivity(it, 0) != null }
    }
}
