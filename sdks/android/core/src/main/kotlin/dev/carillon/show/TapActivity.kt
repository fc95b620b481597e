package dev.carillon.show

import android.app.Activity
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
            (AppPage.of(this, notification) ?: packageManager.getLaunchIntentForPackage(packageName))?.let(::startActivity)
        }
        finish()
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
