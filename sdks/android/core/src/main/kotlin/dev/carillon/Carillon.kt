package dev.carillon

import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Build
import android.os.UserManager
import dev.carillon.state.Credentials
import dev.carillon.vendor.Vendor

/**
 * The Carillon SDK. Before [start], it reads no identifier, opens no connection, and starts no component. Call [start]
 * in `Application.onCreate` if the user has given consent, or at the moment of the consent.
 *
 * All functions can be called on any thread, and none of them waits for the network.
 */
object Carillon {
    /** A phone displays few notifications, so more taps are a mistake. */
    private const val EARLY_TAPS_MAX = 20

    @Volatile
    private var device: Device? = null

    @Volatile
    private var listener: CarillonListener? = null

    /** Taps that opened the process before [start]. They are only kept in memory, because there may be no consent. */
    private val earlyTaps = ArrayDeque<CarillonNotification>()

    @JvmStatic
    val isStarted: Boolean get() = device != null

    /**
     * Starts the SDK in this process. Further calls have no effect. In another process than the main process of the app,
     * the call has no effect either, because two processes would disconnect each other. It has no effect before the user
     * has unlocked the phone for the first time after its start, because the login cannot be read yet. Only apps with a
     * component that runs at this time must call it again.
     */
    @JvmStatic
    @Synchronized
    fun start(context: Context, config: CarillonConfig) {
        if (device != null) return
        // The application context is missing while a content provider starts.
        val application = context.applicationContext ?: context
        if (!MainProcess.isThis(application) || !isUnlocked(application)) return
        val started = Device(application, config) { listener }
        device = started
        while (earlyTaps.isNotEmpty()) started.onTap(earlyTaps.removeFirst())
        // An earlier process may have kept taps.
        if (listener != null) started.deliverWaiting()
    }

    /**
     * Ends the connection and all threads of the SDK, for example because the user has withdrawn the consent. The login
     * stays stored. Call [logout] first if the device must receive nothing: the SDK still sends this logout. Writes a
     * small file on the calling thread, so that [start] can follow immediately.
     */
    @JvmStatic
    @Synchronized
    fun stop() {
        device?.stop()
        device = null
    }

    /** Sets the listener. Taps and data-only notifications that arrived earlier are delivered to it. */
    @JvmStatic
    @Synchronized
    fun setListener(newListener: CarillonListener?) {
        listener = newListener
        if (newListener != null) device?.deliverWaiting()
    }

    /** Removes the listener, unless another one was set since. Without it, the SDK would keep an activity in memory. */
    @JvmStatic
    @Synchronized
    fun removeListener(oldListener: CarillonListener) {
        if (listener === oldListener) listener = null
    }

    /** The random ID of this installation, which a login needs. It is created at the first start. */
    @JvmStatic
    val deviceGuid: String get() = started().store.deviceGuid

    /** Whether this device has a login. It is false after a logout, and after the login has ended. */
    @JvmStatic
    val isLoggedIn: Boolean get() = started().store.credentials != null

    /** The push token of the login, or of the last one if it has ended. Null after a logout, and before the first login. */
    @JvmStatic
    val pushToken: String? get() = started().store.owner

    /**
     * Uses a login: the access token and the push token that your backend got with `/admin/user/token`, or that
     * [login] returned. The device connects, and registers its vendor tokens. A login of another user ends the previous
     * login, and removes everything of the previous user.
     */
    @JvmStatic
    fun use(credentials: Credentials) = started().use(credentials)

    /** Logs in with a name and a password. Runs in the background, and calls [onResult] on the main thread. */
    @JvmStatic
    fun login(loginName: String, password: String, onResult: (Result<Credentials>) -> Unit) =
        started().login(loginName, password, onResult)

    /**
     * Ends the login, and removes the displayed notifications of the user. The device forgets the login even if the API
     * cannot be reached. In this case, [onResult] gets the error, and the SDK repeats the call later.
     */
    @JvmStatic
    @JvmOverloads
    fun logout(onResult: (Result<Unit>) -> Unit = {}) = started().logout(onResult)

    /** The badge, as the notifications and [setBadge] have changed it. */
    @JvmStatic
    val badge: Int get() = started().store.badge

    /** Sets the badge to which later notifications add, for example to 0 when the user opens the app. */
    @JvmStatic
    fun setBadge(badge: Int) {
        require(badge >= 0) { "A badge cannot be negative." }
        started().setBadge(badge)
    }

    /** Whether the phone displays notifications of the app. This function also works before [start]. */
    @JvmStatic
    fun notificationPermission(context: Context): NotificationPermission = NotificationPermission.of(context)

    /**
     * Displays Android's request for the permission, if it is necessary. Returns false if it is not. Android calls
     * `onRequestPermissionsResult` of the activity with [requestCode]. Then call [onNotificationPermissionResult].
     */
    @JvmStatic
    fun requestNotificationPermission(activity: Activity, requestCode: Int): Boolean =
        NotificationPermission.request(activity, requestCode)

    /** Reports to Carillon whether the phone displays notifications, if this has changed. */
    @JvmStatic
    fun onNotificationPermissionResult() {
        device?.requestSync()
    }

    /**
     * Registers the token that a vendor issued, for the current and each later login. Does nothing if it is registered
     * already. Vendor modules call this function. An app calls it only for a vendor that has no module. A token of a module
     * that the SDK does not use on this phone is ignored.
     */
    @JvmStatic
    fun onVendorToken(vendor: Vendor, token: String) {
        device?.onVendorToken(vendor, token)
    }

    /**
     * Removes the token of a vendor that no longer delivers to this device. Does nothing if there is none. With [token],
     * it also does nothing if the vendor has issued another token since.
     */
    @JvmStatic
    @JvmOverloads
    fun onVendorUnregistered(vendor: Vendor, token: String? = null) {
        device?.onVendorUnregistered(vendor, token)
    }

    /**
     * Reports that a vendor issued no token. The text is for developers, and must not contain keys or tokens. Carillon
     * stores its first 200 characters, until the vendor issues a token.
     */
    @JvmStatic
    fun onVendorError(vendor: Vendor, error: String) {
        device?.onRegistrationFailed(vendor, error)
    }

    /**
     * Handles a message of a vendor that the phone has not displayed, such as a message of FCM while the app is in the
     * foreground. Returns false if it is not from Carillon. [title] and [body] are the displayed texts, which some
     * vendors do not repeat in the data. A message without both is data-only. An image without texts has an empty title.
     */
    @JvmStatic
    @JvmOverloads
    fun onVendorMessage(data: Map<String, String>, title: String? = null, body: String? = null): Boolean =
        device?.onVendorMessage(data, title, body) ?: false

    /** Handles a message of a vendor that the phone has displayed. Returns false if it is not from Carillon. */
    @JvmStatic
    fun onVendorDisplayed(data: Map<String, String>): Boolean = device?.onVendorDisplayed(data) ?: false

    /** Handles a tap on a notification that a vendor displayed. Returns false if it is not from Carillon. */
    @JvmStatic
    fun onVendorTap(data: Map<String, String>): Boolean {
        val notification = CarillonNotification.fromVendor(data, isDisplayed = true) ?: return false
        // Any app can open an activity with these extras. Carillon adds a reference to each notification.
        if (notification.reference.isEmpty()) return false
        onTap(notification)
        return true
    }

    /**
     * Call this function in `onNewIntent` of each activity that does not call `setIntent` there. The SDK finds all other
     * taps itself. Returns false if the intent is not that of a tap on a notification of Carillon.
     */
    @JvmStatic
    fun onNewIntent(intent: Intent): Boolean = device?.taps?.onIntent(intent) ?: false

    internal fun onTap(notification: CarillonNotification) {
        startedOrKeep(notification)?.onTap(notification)
    }

    /** Outside of this lock, a vendor's thread writes the file. The main thread must not wait for it. */
    @Synchronized
    private fun startedOrKeep(notification: CarillonNotification): Device? {
        device?.let { return it }
        if (earlyTaps.size == EARLY_TAPS_MAX) earlyTaps.removeFirst()
        earlyTaps.addLast(notification)
        return null
    }

    /** Returns whether a job has been started that calls [onDone] later. */
    internal fun sendReports(onDone: (Boolean) -> Unit): Boolean {
        val current = device ?: return false
        current.sendReports(onDone)
        return true
    }

    private fun isUnlocked(context: Context): Boolean =
        Build.VERSION.SDK_INT < Build.VERSION_CODES.N ||
            (context.getSystemService(Context.USER_SERVICE) as UserManager).isUserUnlocked

    private fun started(): Device = checkNotNull(device) { "Call Carillon.start first." }

    /** Ends the process for the SDK, so that a test can start another one. */
    @Synchronized
    internal fun killForTest() {
        device?.killForTest()
        device = null
        listener = null
        earlyTaps.clear()
    }
}
