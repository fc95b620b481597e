package dev.carillon.fcm

import android.content.Context
import android.content.pm.PackageManager
import android.os.Bundle
import com.google.android.gms.tasks.Task
import com.google.firebase.FirebaseApp
import com.google.firebase.FirebaseOptions
import com.google.firebase.messaging.FirebaseMessaging

/** The calls to Firebase. An app can replace them if it starts Firebase in another way. */
interface Firebase {
    /** Returns false if the app has no configuration of Firebase. */
    fun start(context: Context): Boolean

    /** Requests the registration token, or the registration with the installation ID if the app uses it. */
    fun requestToken(context: Context): Task<*>

    /** Returns null if Firebase was not started. */
    fun deleteToken(context: Context): Task<*>?
}

/**
 * Starts Firebase with the metadata `dev.carillon.fcm.app_id`, `app_key` and `project_id` of the manifest. Without it,
 * Firebase uses the resources that the Gradle plugin of google-services creates from `google-services.json`.
 */
object FirebaseStart : Firebase {
    private const val PREFIX = "dev.carillon.fcm"
    private const val USES_INSTALLATION_ID = "firebase_messaging_installation_id_enabled"

    override fun start(context: Context): Boolean {
        // The app may have started Firebase for another purpose.
        if (FirebaseApp.getApps(context).any { it.name == FirebaseApp.DEFAULT_APP_NAME }) return true
        val options = optionsOf(metadataOf(context)) ?: FirebaseOptions.fromResource(context) ?: return false
        FirebaseApp.initializeApp(context, options)
        return true
    }

    override fun requestToken(context: Context): Task<*> {
        val messaging = FirebaseMessaging.getInstance()
        // From now on, Firebase renews tokens itself.
        messaging.isAutoInitEnabled = true
        if (metadataOf(context).getBoolean(USES_INSTALLATION_ID)) return messaging.register()
        @Suppress("DEPRECATION") // most apps have not changed to installation IDs
        return messaging.token
    }

    override fun deleteToken(context: Context): Task<*>? {
        if (FirebaseApp.getApps(context).isEmpty()) return null
        val messaging = FirebaseMessaging.getInstance()
        messaging.isAutoInitEnabled = false
        if (metadataOf(context).getBoolean(USES_INSTALLATION_ID)) return messaging.unregister()
        @Suppress("DEPRECATION") // most apps have not changed to installation IDs
        return messaging.deleteToken()
    }

    private fun optionsOf(metadata: Bundle): FirebaseOptions? {
        val appId = metadata.getString("$PREFIX.app_id") ?: return null
        val apiKey = metadata.getString("$PREFIX.app_key") ?: return null
        val projectId = metadata.getString("$PREFIX.project_id") ?: return null
        // The second part of an App ID such as 1:1234:android:abc is the sender ID.
        val senderId = appId.split(':').getOrNull(1) ?: return null
        return FirebaseOptions.Builder()
            .setApplicationId(appId)
            .setApiKey(apiKey)
            .setProjectId(projectId)
            .setGcmSenderId(senderId)
            .build()
    }

    private fun metadataOf(context: Context): Bundle =
        context.packageManager.getApplicationInfo(context.packageName, PackageManager.GET_META_DATA).metaData ?: Bundle()
}
