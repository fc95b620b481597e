package dev.carillon

import android.content.Context
import android.os.Handler
import android.os.Looper
import dev.carillon.api.ApiClient
import dev.carillon.api.ApiException
import dev.carillon.mqtt.DeviceChannel
import dev.carillon.mqtt.Gateway
import dev.carillon.mqtt.MqttListener
import dev.carillon.mqtt.MqttLogin
import dev.carillon.report.ReportJob
import dev.carillon.report.Reporter
import dev.carillon.show.Notifier
import dev.carillon.state.Binding
import dev.carillon.state.Credentials
import dev.carillon.state.DeviceStore
import dev.carillon.state.ReportKind
import org.json.JSONObject
import java.io.IOException
import java.util.concurrent.Executors

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
        device = Device(context.applicationContext, config)
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

    /** Registers a token of a vendor for the current and each later login. Does nothing if it is registered already. */
    @JvmStatic
    @JvmOverloads
    fun bindVendorToken(provider: Int, token: String, environment: Int = 1) =
        started().bind(Binding(provider, environment, token))

    /**
     * Reports a message of a vendor. Returns the notification if the app must display it itself, and null if it was
     * displayed before or is not from Carillon.
     */
    @JvmStatic
    fun onVendorMessage(data: Map<String, String>): CarillonNotification? = started().onVendorMessage(data)

    /** Reports that the user tapped a notification of a vendor. */
    @JvmStatic
    fun onVendorTap(data: Map<String, String>) {
        CarillonNotification.fromVendor(data)?.let(::onTap)
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

    /** The running SDK. */
    private class Device(private val context: Context, config: CarillonConfig) : MqttListener {
        val store = DeviceStore(context.noBackupFilesDir)
        private val log: (String) -> Unit = config.log ?: {}
        private val api = ApiClient(config.apiUrl, config.appId)
        private val notifier = Notifier(context, config)
        private val reporter = Reporter(store, api)
        private val background = Executors.newSingleThreadExecutor { Thread(it, "carillon").apply { isDaemon = true } }
        private val vendorTokens = LinkedHashMap<Int, Binding>()
        private val channel: DeviceChannel =
            DeviceChannel(Gateway.parse(config.gatewayUrl), this, { networks.keepAliveSeconds() }, ::onLoginEnded, log)
        private val networks: Networks = Networks(context) { channel.wake() }

        init {
            store.credentials?.let(::connect)
            if (ReportKind.entries.any { store.reports(it).isNotEmpty() }) sendReports { }
        }

        fun stop() {
            networks.close()
            channel.close()
            background.shutdownNow()
        }

        fun use(credentials: Credentials) {
            store.saveCredentials(credentials)
            connect(credentials)
            synchronized(vendorTokens) { vendorTokens.values.toList() }.forEach(::bind)
        }

        fun login(loginName: String, password: String, onResult: (Result<Credentials>) -> Unit) =
            inBackground(onResult) {
                val body =
                    JSONObject()
                        .put("login_name", loginName)
                        .put("password", password)
                        .put("device_guid", store.deviceGuid)
                val data = api.call("/token/login", body, null)
                Credentials(data.getString("token"), data.getString("push_token")).also(::use)
            }

        fun logout(onResult: (Result<Unit>) -> Unit) {
            val credentials = store.credentials
            channel.close()
            store.saveCredentials(null)
            notifier.removeAll()
            inBackground(onResult) {
                if (credentials != null) api.call("/token/logout", JSONObject(), credentials.accessToken)
            }
        }

        fun bind(binding: Binding) {
            synchronized(vendorTokens) { vendorTokens[binding.provider] = binding }
            val credentials = store.credentials ?: return
            if (binding in store.bindings) return
            inBackground<Unit>({ it.onFailure { error -> log("The vendor token was not registered: $error") } }) {
                val body =
                    JSONObject()
                        .put("provider", binding.provider)
                        .put("environment", binding.environment)
                        .put("token", binding.token)
                api.call("/device/bind", body, credentials.accessToken)
                store.addBinding(binding)
            }
        }

        fun onVendorMessage(data: Map<String, String>): CarillonNotification? {
            val notification = CarillonNotification.fromVendor(data) ?: return null
            report(ReportKind.RECEIPT, notification.reference)
            return notification.takeIf { store.addSeen(it.messageId) }
        }

        /** Stores a report before it is sent, so that the end of the process does not lose it. */
        fun report(kind: ReportKind, reference: String) {
            if (reference.isEmpty()) return
            store.addReport(kind, reference)
            ReportJob.schedule(context)
            sendReports { }
        }

        fun sendReports(onDone: (Boolean) -> Unit) =
            inBackground<Boolean>({ onDone(it.getOrDefault(false)) }) {
                reporter.sendAll().also { isDone -> if (isDone) ReportJob.cancel(context) }
            }

        override fun onConnected() = log("The device is connected.")

        override fun onNotification(payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit) {
            val notification = CarillonNotification.fromPayload(payload.decodeToString())
            if (notification == null) {
                acknowledge(UNREADABLE)
                return
            }
            if (!store.addSeen(notification.messageId)) {
                acknowledge(SUCCESS)
                return
            }
            main.post { acknowledge(display(notification)) }
        }

        override fun onRecall(payload: ByteArray) {
            val messageId = CarillonNotification.messageIdOfRecall(payload.decodeToString()) ?: return
            store.addSeen(messageId)
            notifier.remove(messageId)
            main.post { listener?.onRecall(messageId) }
        }

        /** Returns the reason code of the acknowledgement. */
        private fun display(notification: CarillonNotification): Int =
            try {
                val badge = Badges.apply(store.badge, notification.badge)
                store.saveBadge(badge)
                val isHandled = listener?.onNotification(notification) ?: false
                val isExpired = notification.showEndTime?.let { it * 1_000 < System.currentTimeMillis() } ?: false
                if (!isHandled && !notification.isDataOnly && !isExpired) notifier.show(notification, badge)
                SUCCESS
            } catch (error: RuntimeException) {
                // Another channel delivers it, and must not be mistaken for a copy.
                log("A notification was not displayed: $error")
                store.removeSeen(notification.messageId)
                FAILED
            }

        private fun connect(credentials: Credentials) =
            channel.open(MqttLogin(store.deviceGuid, credentials.pushToken, credentials.accessToken))

        private fun onLoginEnded() {
            main.post { listener?.onLoggedOut() }
        }

        private fun <T> inBackground(onResult: (Result<T>) -> Unit, work: () -> T) {
            background.execute {
                val result =
                    try {
                        Result.success(work())
                    } catch (error: IOException) {
                        if (error is ApiException && error.isLoggedOut) onLoginEnded()
                        Result.failure(error)
                    }
                main.post { onResult(result) }
            }
        }
    }

    private const val SUCCESS = 0x00
    private const val FAILED = 0x80
    private const val UNREADABLE = 0x99
}
