package dev.carillon.show

import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Bundle
import dev.carillon.Carillon
import dev.carillon.CarillonNotification
import java.net.URISyntaxException

/** Opened by a tap. Reports the tap, opens the page of the notification, and ends without displaying anything. */
internal class TapActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val notification = intent.getStringExtra(EXTRA)?.let(CarillonNotification::fromPayload)
        if (notification != null) {
            Carillon.onTap(notification)
            (pageOf(this, notification) ?: packageManager.getLaunchIntentForPackage(packageName))?.let(::startActivity)
        }
        finish()
    }

    companion object {
        private const val EXTRA = "dev.carillon.notification"

        fun intentFor(context: Context, notification: CarillonNotification): Intent =
            Intent(context, TapActivity::class.java)
                .putExtra(EXTRA, notification.toJson().toString())
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)

        /**
         * Returns the page that the notification names. Only pages of this app can be opened, and the intent grants no
         * permissions, because the text comes from outside the app.
         */
        fun pageOf(context: Context, notification: CarillonNotification): Intent? {
            val uri = notification.intent ?: return null
            val page =
                try {
                    Intent.parseUri(uri, Intent.URI_INTENT_SCHEME)
                } catch (_: URISyntaxException) {
                    return null
                }
            page.selector = null
            page.setPackage(context.packageName)
            page.component?.let { if (it.packageName != context.packageName) return null }
            page.flags = Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TOP
            page.putExtra("reference", notification.reference)
            return page.takeIf { it.resolveActivity(context.packageManager) != null }
        }
    }
}
