package dev.carillon

import android.Manifest
import android.app.Activity
import android.app.NotificationManager
import android.content.Context
import android.content.pm.PackageManager
import android.os.Build

/** Whether the phone displays notifications of the app. */
enum class NotificationPermission {
    /** Notifications are displayed. */
    GRANTED,

    /**
     * Android 13 and later: the app has not requested the permission, or the user has denied it. Switching notifications
     * off in the settings denies it too. After two denials, Android displays no request, and only the settings help.
     */
    REQUIRED,

    /** Android 7 to 12: the user has switched notifications off. Only the settings of the phone can change it. */
    DENIED,
    ;

    internal companion object {
        fun of(context: Context): NotificationPermission {
            if (isMissing(context)) return REQUIRED
            // Android 6 has no function for it.
            if (Build.VERSION.SDK_INT < Build.VERSION_CODES.N) return GRANTED
            val manager = context.getSystemService(Context.NOTIFICATION_SERVICE) as NotificationManager
            return if (manager.areNotificationsEnabled()) GRANTED else DENIED
        }

        /** Returns false if there is nothing to request. */
        fun request(activity: Activity, requestCode: Int): Boolean {
            if (Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU || !isMissing(activity)) return false
            activity.requestPermissions(arrayOf(Manifest.permission.POST_NOTIFICATIONS), requestCode)
            return true
        }

        private fun isMissing(context: Context): Boolean =
            Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU &&
                context.checkSelfPermission(Manifest.permission.POST_NOTIFICATIONS) != PackageManager.PERMISSION_GRANTED
    }
}
