package dev.carillon.show

import android.app.Activity
import android.content.ActivityNotFoundException
import android.content.Context
import android.content.Intent
import android.net.Uri
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
            open(AppPage.of(this, notification)) || open(packageManager.getLaunchIntentForPackage(packageName))
        }
        finish()
    }

    /** A page can require a permission that the app does not have. The tap must not end the app. */
    private fun open(page: Intent?): Boolean =
        try {
            page?.let(::startActivity) != null
        } catch (_: ActivityNotFoundException) {
            false
        } catch (_: SecurityException) {
            false
        }

    companion object {
        private const val EXTRA = "dev.carillon.notification"

        /** The URI makes the intents of two notifications different. Android does not compare their extras. */
        fun intentFor(context: Context, notification: CarillonNotification): Intent =
            Intent(context, TapActivity::class.java)
                .setData(Uri.fromParts("carillon", notification.messageId, null))
                .putExtra(EXTRA, notification.toJson().toString())
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
    }
}
