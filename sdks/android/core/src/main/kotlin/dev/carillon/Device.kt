package dev.carillon

import android.content.Context
import android.os.Build
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
import dev.carillon.vendor.KeySource
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import dev.carillon.vendor.VendorSelection
import org.json.JSONObject
import java.io.IOException
import java.util.concurrent.Executors

/** The running SDK. */
internal class Device(
    private val context: Context,
    private val config: CarillonConfig,
    private val listener: () -> CarillonListener?,
) : MqttListener {
    private val main = Handler(Looper.getMainLooper())
    private val vendors = config.vendors
    val store = DeviceStore(context.noBackupFilesDir)
    private val log: (String) -> Unit = config.log ?: {}
    private val api = ApiClient(config.apiUrl, config.appId)
    private val notifier = Notifier(context, config)
    private val reporter = Reporter(store, api)
    private val background = Executors.newSingleThreadExecutor { Thread(it, "carillon").apply { isDaemon = true } }
    private val keys = KeySource(context, api, store)
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
            vendors.forEach { it.unregister(context) }
            if (credentials != null) api.call("/token/logout", JSONObject(), credentials.accessToken)
        }
    }

    /** Requests the tokens of the vendors that suit this phone. */
    private fun registerVendors() {
        val modules = vendors.filter { it.isAvailable(context) }.associateBy(VendorPush::vendor)
        for (vendor in VendorSelection.select(Build.MANUFACTURER, Build.BRAND, modules::containsKey)) {
            val module = modules.getValue(vendor)
            try {
                module.register(context, if (module.needsKeys) keys.of(vendor) else VendorKeys())
            } catch (error: Exception) {
                // A vendor's SDK can throw anything, and must not stop the other vendors.
                onVendorError(vendor, error.toString())
            }
        }
    }

    fun onVendorToken(vendor: Vendor, token: String) {
        val binding = Binding(vendor.provider, config.environment, token)
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

    fun onVendorError(vendor: Vendor, error: String) = log("${vendor.key} issued no token: $error")

    fun onVendorMessage(data: Map<String, String>, title: String?, body: String?): Boolean {
        val notification = CarillonNotification.fromVendor(data, title, body) ?: return false
        report(ReportKind.RECEIPT, notification.reference)
        if (store.addSeen(notification.messageId)) main.post { display(notification) }
        return true
    }

    fun onVendorDisplayed(data: Map<String, String>): Boolean {
        val notification = CarillonNotification.fromVendor(data, isDisplayed = true) ?: return false
        report(ReportKind.RECEIPT, notification.reference)
        store.addSeen(notification.messageId)
        return true
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
        main.post { listener()?.onRecall(messageId) }
    }

    /** Returns the reason code of the acknowledgement. */
    private fun display(notification: CarillonNotification): Int =
        try {
            val badge = Badges.apply(store.badge, notification.badge)
            store.saveBadge(badge)
            val isHandled = listener()?.onNotification(notification) ?: false
            val isExpired = notification.showEndTime?.let { it * 1_000 < System.currentTimeMillis() } ?: false
            if (!isHandled && !notification.isDataOnly && !isExpired) notifier.show(notification, badge)
            SUCCESS
        } catch (error: RuntimeException) {
            // Another channel delivers it, and must not be mistaken for a copy.
            log("A notification was not displayed: $error")
            store.removeSeen(notification.messageId)
            FAILED
        }

    /** Vendors are registered at each start, because a token can change while the app does not run. */
    private fun connect(credentials: Credentials) {
        channel.open(MqttLogin(store.deviceGuid, credentials.pushToken, credentials.accessToken))
        inBackground({ }, ::registerVendors)
    }

    private fun onLoginEnded() {
        main.post { listener()?.onLoggedOut() }
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
