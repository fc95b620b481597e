package dev.carillon.show

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.Context
import android.content.Intent
import android.os.Build
import dev.carillon.CarillonConfig
import dev.carillon.CarillonNotification

/** Displays notifications of the Carillon channel. Notifications of a vendor are displayed by its system service. */
internal class Notifier(private val context: Context, private val config: CarillonConfig) {
    private val manager = context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager

    /** Displays a notification. A second copy with the same ID replaces the first. */
    fun show(notification: CarillonNotification, badge: Int) {
        val intent = TapActivity.intentFor(context, notification)
        val flags = PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE
        // The request code must differ, because Android compares pending intents without their extras.
        val tap = PendingIntent.getActivity(context, notification.messageId.hashCode(), intent, flags)
        val builder =
            builderFor(channelOf(notification))
                .setSmallIcon(config.smallIcon)
                .setContentTitle(notification.title)
                .setContentText(notification.body)
                .setStyle(Notification.BigTextStyle().bigText(notification.body))
                .setNumber(badge)
                .setAutoCancel(true)
                .setContentIntent(tap)
        manager.notify(notification.collapseId, NOTIFICATION_ID, builder.build())
    }

    fun remove(messageId: String) = manager.cancel(messageId, NOTIFICATION_ID)

    /** Removes everything that this SDK displayed, because the next user must not see it. */
    fun removeAll() = manager.activeNotifications.filter { it.id == NOTIFICATION_ID && it.tag != null }
        .forEach { manager.cancel(it.tag, it.id) }

    /** An unknown channel would hide the notification, so the channel of the configuration is used instead. */
    private fun channelOf(notification: CarillonNotification): String {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.O) return config.channelId
        val wanted = notification.channelId
        if (wanted != null && manager.getNotificationChannel(wanted) != null) return wanted
        if (manager.getNotificationChannel(config.channelId) == null) {
            val channel =
                NotificationChannel(config.channelId, config.channelName, NotificationManager.IMPORTANCE_HIGH)
            manager.createNotificationChannel(channel)
        }
        return config.channelId
    }

    @Suppress("DEPRECATION") // the constructor without a channel exists for Android 7 and older
    private fun builderFor(channelId: String): Notification.Builder =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            Notification.Builder(context, channelId)
        } else {
            Notification.Builder(context).setPriority(Notification.PRIORITY_HIGH).setDefaults(Notification.DEFAULT_ALL)
        }

    private companion object {
        /** The tag of a notification is its message ID, so one ID is enough. */
        const val NOTIFICATION_ID = 0x43617269
    }
}
