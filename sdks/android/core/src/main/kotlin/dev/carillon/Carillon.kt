package dev.carillon

import android.content.Context
import android.os.Handler
import android.os.Looper
import dev.carillon.state.Credentials
import dev.carillon.state.ReportKind
import dev.carillon.vendor.Vendor

/**
 * The Carillon SDK. Before [start], it reads no identifier, opens no connection, and starts no component. Call [start]
 * in `Application.onCreate` if the user has given consent, or at the moment of the consent.
 */
object Carillon {
    private val main = Handler(Looper.getMainLooper())

    @Volatile
    private var device: Device? = null
    private var listener: CarillonListener? = null

    /** A tap that opened the process before [start]. It is only kept in memory. */
    private var earlyTap: CarillonNotification? = null

    @JvmStatic
    val isStarted: Boolean get() = device != null

    /** Starts the SDK in this process. Further calls have no effect. */
    @JvmStatic
    @Synchronized
    fun start(context: Context, config: CarillonConfig) {
        if (device != null) return
        device = Device(context.applicationContext, config) { listener }
        earlyTap?.let(::onTap)
        earlyTap = null
    }

    /** Sets the listener. Taps that arrived earlier are delivered to it. */
    @JvmStatic
    @Synchronized
    fun setListener(newListener: CarillonListener?) {
        listener = newListener
        if (newListener != null) deliverTaps()
    }

    /** The random ID of this installation, which a login needs. It is created at the first start. */
    @JvmStatic
    val deviceGuid: String get() = started().store.deviceGuid

    /**
     * Uses a login: the access token and the push token that your backend got with `/admin/user/token`, or that
     * [login] returned. The device connects, and registers its vendor tokens.
     */
    @JvmStatic
    fun use(credentials: Credentials) = started().use(credentials)

    /** Logs in with a name and a password. Runs in the background, and calls [onResult] on the main thread. */
    @JvmStatic
    fun login(loginName: String, password: String, onResult: (Result<Credentials>) -> Unit) =
        started().login(loginName, password, onResult)

    /**
     * Ends the login, and removes the displayed notifications of the user. The device forgets the login even if the
     * API cannot be reached. In this case, [onResult] gets the error.
     */
    @JvmStatic
    fun logout(onResult: (Result<Unit>) -> Unit = {}) = started().logout(onResult)

    /**
     * Registers the token that a vendor issued, for the current and each later login. Does nothing if it is registered
     * already. Vendor modules call this function. An app calls it only for a vendor that has no module.
     */
    @JvmStatic
    fun onVendorToken(vendor: Vendor, token: String) {
        device?.onVendorToken(vendor, token)
    }

    /** Reports that a vendor issued no token. The text is for developers, and must not contain keys or tokens. */
    @JvmStatic
    fun onVendorError(vendor: Vendor, error: String) {
        device?.onVendorError(vendor, error)
    }

    /**
     * Handles a message of a vendor that the phone has not displayed, such as a message of FCM while the app is in the
     * foreground. Returns false if it is not from Carillon. [title] and [body] are the texts outside the data. If both
     * are null, it is a data-only message. An image without texts therefore has an empty title.
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
        onTap(notification)
        return true
    }

    @Synchronized
    internal fun onTap(notification: CarillonNotification) {
        val current = device
        if (current == null) {
            earlyTap = notification
            return
        }
        current.report(ReportKind.CLICK, notification.reference)
        current.store.addTap(notification.toJson().toString())
        deliverTaps()
    }

    /** Returns whether a job has been started that calls [onDone] later. */
    internal fun sendReports(onDone: (Boolean) -> Unit): Boolean {
        val current = device ?: return false
        current.sendReports(onDone)
        return true
    }

    private fun deliverTaps() {
        val current = device ?: return
        val receiver = listener ?: return
        val taps = current.store.taps.mapNotNull(CarillonNotification::fromPayload)
        if (taps.isEmpty()) return
        current.store.clearTaps()
        main.post { taps.forEach(receiver::onTap) }
    }

    private fun started(): Device = checkNotNull(device) { "Call Carillon.start first." }

    /** Ends everything, so that a test can start a new process. */
    @Synchronized
    internal fun stopForTest() {
        device?.stop()
        device = null
        listener = null
    }
}
