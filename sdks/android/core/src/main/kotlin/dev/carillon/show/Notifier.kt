package dev.carillon.show

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.Context
import android.graphics.Bitmap
import android.net.Uri
import android.os.Build
import dev.carillon.CarillonConfig
import dev.carillon.CarillonNotification
import dev.carillon.WallClock

/**
 * Displays notifications of the Carillon channel, and those of a vendor that the phone has not displayed. The tag is the
 * message ID and the ID is 0, as in the notifications that FCM displays, so that a copy replaces the first one.
 */
internal class Notifier(private val context: Context, private val config: CarillonConfig) {
    private val manager = context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager

    /** Displays a notification, or adds a picture to it. */
    fun show(notification: CarillonNotification, badge: Int, picture: Bitmap? = null) {
        val text = notification.body ?: notification.bigText
        val intent = TapActivity.intentFor(context, notification)
        val flags = PendingIntent.FLAG_UPDATE_CURRENT or PendingIntent.FLAG_IMMUTABLE
        val builder =
            builderFor(notification)
                .setSmallIcon(config.smallIcon)
                // Vendors display the name of the app too if an image has no text.
                .setContentTitle(notification.title ?: if (text == null) appName() else null)
                .setContentText(text)
                .setNumber(badge)
                .setAutoCancel(true)
                .setShowWhen(true)
                // A picture, or a copy that replaces the one of FCM, must not alert again.
                .setOnlyAlertOnce(picture != null || isDisplayed(notification.messageId))
                .setContentIntent(PendingIntent.getActivity(context, 0, intent, flags))
        if (picture == null) {
            builder.setStyle(Notification.BigTextStyle().bigText(notification.bigText ?: text))
        } else {
            builder.setLargeIcon(picture)
            builder.setStyle(Notification.BigPictureStyle().bigPicture(picture).setSummaryText(text))
        }
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            notification.showEndTime?.let { builder.setTimeoutAfter(maxOf(1, it * 1_000 - WallClock.nowMs())) }
        }
        manager.notify(notification.messageId, NOTIFICATION_ID, builder.build())
    }

    fun isDisplayed(messageId: String) = manager.activeNotifications.any { it.tag == messageId && it.id == NOTIFICATION_ID }

    fun remove(messageId: String) = manager.cancel(messageId, NOTIFICATION_ID)

    /** Removes all notifications of Carillon, because the next user must not see them. */
    fun removeAll() = manager.activeNotifications.filter { it.id == NOTIFICATION_ID && it.tag?.let(TAG::matches) == true }
        .forEach { manager.cancel(it.tag, it.id) }

    private fun builderFor(notification: CarillonNotification): Notification.Builder {
        val isSilent = notification.sound == "none"
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
            val builder = Notification.Builder(context, channelOf(notification))
            // The channel sets the sound. Only a group whose summary alerts can be silent in a channel with a sound.
            if (isSilent) builder.setGroup(SILENT_GROUP).setGroupAlertBehavior(Notification.GROUP_ALERT_SUMMARY)
            return builder
        }
        return olderBuilder(notification.sound, isSilent)
    }

    @Suppress("DEPRECATION") // Android 7 and older have no notification channels
    private fun olderBuilder(sound: String?, isSilent: Boolean): Notification.Builder {
        val builder = Notification.Builder(context).setPriority(Notification.PRIORITY_HIGH)
        if (isSilent) return builder
        val isDefault = sound == null || sound == "default"
        if (isDefault) return builder.setDefaults(Notification.DEFAULT_ALL)
        return builder
            .setDefaults(Notification.DEFAULT_VIBRATE or Notification.DEFAULT_LIGHTS)
            .setSound(Uri.parse("android.resource://${context.packageName}/raw/$sound"))
    }

    /** An unknown channel would hide the notification, so the channel of the configuration is used instead. */
    private fun channelOf(notification: CarillonNotification): String {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.O) return config.channelId
        val wanted = notification.channelId
        if (wanted != null && manager.getNotificationChannel(wanted) != null) return wanted
        createChannel()
        return config.channelId
    }

    /** Creates the channel of the configuration, unless it exists. */
    fun createChannel() {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.O || manager.getNotificationChannel(config.channelId) != null) return
        val channel = NotificationChannel(config.channelId, config.channelName, NotificationManager.IMPORTANCE_HIGH)
        manager.createNotificationChannel(channel)
    }

    private fun appName(): CharSequence = context.applicationInfo.loadLabel(context.packageManager)

    private companion object {
        const val NOTIFICATION_ID = 0
        const val SILENT_GROUP = "dev.carillon.silent"
        val TAG = Regex("""\d{1,19}""")
    }
}
