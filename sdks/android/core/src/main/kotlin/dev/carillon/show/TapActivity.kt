package dev.carillon.show

import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Bundle
import dev.carillon.Carillon
import dev.carillon.CarillonNotification

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

        /** Returns the page that the notification names, if it is a page of this app that exists. */
        fun pageOf(context: Context, notification: CarillonNotification): Intent? {
            val page = notification.intent?.let { DeepLink.parse(it, context.packageName) } ?: return null
            page.putExtra("reference", notification.reference)
            return page.takeIf { it.resolveActivity(context.packageManager) != null }
        }
    }
}
