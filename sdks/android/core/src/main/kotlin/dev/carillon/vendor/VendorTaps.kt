package dev.carillon.vendor

import android.app.Activity
import android.app.Application
import android.content.Context
import android.content.Intent
import android.os.Build
import android.os.Bundle
import java.io.Closeable

/**
 * Finds taps on notifications that a vendor displayed. The vendor's system service opens an activity of the app, and puts
 * the data of the notification into its intent. This works in a cold start, because the SDK is started before the first
 * activity.
 */
internal class VendorTaps(
    context: Context,
    private val vendors: List<VendorPush>,
    private val onTap: (Map<String, String>) -> Boolean,
) : Application.ActivityLifecycleCallbacks, Closeable {
    /** Only these vendors can have displayed a notification on this phone. */
    private val candidates: List<VendorPush> by lazy {
        val suitable = VendorSelection.candidates(Build.MANUFACTURER, Build.BRAND)
        vendors.filter { it.vendor in suitable }
    }

    // There is no application yet if a content provider has started the SDK.
    private val application = context.applicationContext as? Application

    init {
        if (vendors.isNotEmpty()) application?.registerActivityLifecycleCallbacks(this)
    }

    override fun close() {
        application?.unregisterActivityLifecycleCallbacks(this)
    }

    /** Returns whether the intent is that of a tap, which can be an earlier one. */
    fun onIntent(intent: Intent): Boolean {
        // A task that is opened from the list of recent apps gets the intent with which it was once started.
        if (intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0) return false
        return candidates.any { onTap(dataOf(it, intent)) }
    }

    /** The app can lack the SDK of a vendor, and another app can send extras that cannot be read. */
    private fun dataOf(module: VendorPush, intent: Intent): Map<String, String> =
        try {
            module.dataOfTap(intent)
        } catch (_: LinkageError) {
            emptyMap()
        } catch (_: RuntimeException) {
            emptyMap()
        } catch (_: StackOverflowError) {
            // Android calls itself for each level of nested extras.
            emptyMap()
        }

    /** The intent is read here, because an activity that exists already sets its new intent before it is resumed. */
    override fun onActivityResumed(activity: Activity) {
        activity.intent?.let(::onIntent)
    }

    /** An activity that calls `finish` in `onCreate` is never resumed. The store recognizes a tap that is read twice. */
    override fun onActivityCreated(activity: Activity, savedInstanceState: Bundle?) {
        activity.intent?.let(::onIntent)
    }

    override fun onActivityDestroyed(activity: Activity) {}

    override fun onActivityStarted(activity: Activity) {}

    override fun onActivityPaused(activity: Activity) {}

    override fun onActivityStopped(activity: Activity) {}

    override fun onActivitySaveInstanceState(activity: Activity, outState: Bundle) {}
}
