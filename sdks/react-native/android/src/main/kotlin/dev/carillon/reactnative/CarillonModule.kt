package dev.carillon.reactnative

import android.app.Activity
import android.content.Intent
import com.facebook.react.bridge.ActivityEventListener
import com.facebook.react.bridge.Promise
import com.facebook.react.bridge.ReactApplicationContext
import com.facebook.react.bridge.ReactContextBaseJavaModule
import com.facebook.react.bridge.ReactMethod
import com.facebook.react.common.LifecycleState
import com.facebook.react.module.annotations.ReactModule
import dev.carillon.Carillon

/** The functions of `src/native.ts`. They exchange only strings, which both architectures of React Native support. */
@ReactModule(name = CarillonModule.NAME)
class CarillonModule(context: ReactApplicationContext) : ReactContextBaseJavaModule(context) {
    private val bridge =
        CarillonBridge(
            context,
            emit = { event, payload -> if (context.hasActiveReactInstance()) context.emitDeviceEvent(event, payload) },
            // Without JavaScript, the event reaches no one, so the phone must display the notification.
            isInForeground = { context.hasActiveReactInstance() && context.lifecycleState == LifecycleState.RESUMED },
        )

    /**
     * Finds a vendor's tap that opens an existing activity which does not call `setIntent`. A tap that comes before
     * JavaScript is loaded is found only if the activity calls it.
     */
    private val newIntents =
        object : ActivityEventListener {
            override fun onActivityResult(activity: Activity, requestCode: Int, resultCode: Int, data: Intent?) = Unit

            override fun onNewIntent(intent: Intent) {
                Carillon.onNewIntent(intent)
            }
        }

    init {
        context.addActivityEventListener(newIntents)
    }

    override fun getName() = NAME

    /** JavaScript ends, for example because it is reloaded. Taps are kept until it asks for events again. */
    override fun invalidate() {
        bridge.stopListening()
        reactApplicationContext.removeActivityEventListener(newIntents)
        super.invalidate()
    }

    @ReactMethod
    fun start(config: String, promise: Promise) = promise.settle { bridge.start(config) }

    @ReactMethod
    fun isStarted(promise: Promise) = promise.settle(bridge::isStarted)

    @ReactMethod
    fun withdrawConsent(promise: Promise) = promise.settle(bridge::withdrawConsent)

    @ReactMethod
    fun deviceGuid(promise: Promise) = promise.settle(bridge::deviceGuid)

    @ReactMethod
    fun use(accessToken: String, pushToken: String, promise: Promise) = promise.settle { bridge.use(accessToken, pushToken) }

    @ReactMethod
    fun login(loginName: String, password: String, promise: Promise) =
        promise.rejectIfItThrows { bridge.login(loginName, password) { promise.settle { it.getOrThrow() } } }

    @ReactMethod
    fun logout(promise: Promise) = promise.rejectIfItThrows { bridge.logout { promise.settle { it.getOrThrow() } } }

    @ReactMethod
    fun listen(promise: Promise) = promise.settle(bridge::listen)

    @ReactMethod
    fun notificationPermission(promise: Promise) = promise.settle(bridge::notificationPermission)

    @ReactMethod
    fun onNotificationPermissionResult(promise: Promise) = promise.settle(bridge::onNotificationPermissionResult)

    @ReactMethod
    fun setBadge(badge: Double, promise: Promise) = promise.settle { bridge.setBadge(badge.toInt()) }

    @ReactMethod
    fun isLoggedIn(promise: Promise) = promise.settle { Carillon.isLoggedIn }

    @ReactMethod
    fun vendorToken(vendor: String, token: String, promise: Promise) = promise.settle { bridge.vendorToken(vendor, token) }

    @ReactMethod
    fun vendorMessage(data: String, title: String?, body: String?, promise: Promise) =
        promise.settle { bridge.vendorMessage(data, title, body) }

    @ReactMethod
    fun vendorTap(data: String, promise: Promise) = promise.settle { bridge.vendorTap(data) }

    private fun Promise.settle(work: () -> Any?) =
        rejectIfItThrows { resolve(work().takeUnless { it == Unit }) }

    private fun Promise.rejectIfItThrows(work: () -> Unit) =
        try {
            work()
        } catch (error: Exception) {
            reject(bridge.codeOf(error), error)
        }

    companion object {
        const val NAME = "Carillon"
    }
}
