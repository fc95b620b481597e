package dev.carillon

import android.content.Context
import android.os.Handler
import android.os.Looper
import dev.carillon.api.ApiClient
import dev.carillon.mqtt.DeviceChannel
import dev.carillon.mqtt.Gateway
import dev.carillon.mqtt.MqttListener
import dev.carillon.mqtt.MqttLogin
import dev.carillon.report.ReportJob
import dev.carillon.report.ServerSync
import dev.carillon.show.Notifier
import dev.carillon.show.PictureLoader
import dev.carillon.state.Credentials
import dev.carillon.state.DeviceStore
import dev.carillon.state.ReportKind
import dev.carillon.vendor.KeySource
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorRegistration
import dev.carillon.vendor.VendorTaps
import org.json.JSONException
import org.json.JSONObject
import java.io.IOException
import java.util.concurrent.atomic.AtomicBoolean

/** The running SDK. Its functions do not block, because an app calls them on the main thread. */
internal class Device(
    private val context: Context,
    private val config: CarillonConfig,
    private val listener: () -> CarillonListener?,
) : MqttListener {
    private val main = Handler(Looper.getMainLooper())
    private val log: (String) -> Unit = config.log ?: {}
    private val threads = Threads(log)
    private val isSyncQueued = AtomicBoolean()

    /** Orders the changes of the user, and everything that depends on the user. */
    private val userLock = Any()

    /**
     * The number of calls of [use] and [logout]. A login that was requested before the last of them is not used. Changed
     * under [userLock].
     */
    private var userChanges = 0

    /** A task that is still running must not connect or display anything. Changed under [userLock]. */
    @Volatile
    private var isStopped = false

    val store = DeviceStore({ context.noBackupFilesDir }, threads.state, log)
    private val api = ApiClient(config.apiUrl, config.appId)
    private val notifier = Notifier(context, config)
    private val areNotificationsAllowed = { NotificationPermission.of(context) == NotificationPermission.GRANTED }
    private val sync = ServerSync(store, api, config.environment, areNotificationsAllowed, ::onLoginEnded, ::onTokenBound, log)
    private val retry = Runnable { registerVendors() }
    private val registration =
        VendorRegistration(context, config.vendors, KeySource(context, api, store, config.environment), store, ::onVendorError, ::registerVendorsLater, log)
    private val channel: DeviceChannel =
        DeviceChannel(
            Gateway.parse(config.gatewayUrl),
            this,
            threads.output,
            { networks.keepAliveSeconds() },
            { onLoginEnded(Credentials(it.accessToken, it.pushToken)) },
            log,
        )
    private val networks: Networks = Networks(context, ::onNetworkAvailable, ::onNetworkChanged)
    val taps = VendorTaps(context, config.vendors, Carillon::onVendorTap)

    init {
        connectStored(READ_ATTEMPTS_MAX)
        // FCM uses the channel while the app is closed. An app that creates it itself does so before the main thread is idle.
        main.post { threads.state.execute { if (!isStopped) notifier.createChannel() } }
    }

    /** Connects with the stored login. Tries again later while it cannot be read. */
    private fun connectStored(attempts: Int): Unit =
        threads.state.execute {
            synchronized(userLock) { store.credentials?.let(::connect) } ?: requestSync()
            if (!store.isReadable && attempts > 1) main.postDelayed({ connectStored(attempts - 1) }, READ_DELAY_MS)
        }

    /** A logout that was called before is still sent. */
    fun stop() {
        taps.close()
        networks.close()
        synchronized(userLock) {
            isStopped = true
            channel.close()
        }
        main.removeCallbacks(retry)
        store.close()
        threads.close()
    }

    /** Ends everything without stopping it, like the end of the process. */
    fun killForTest() {
        taps.close()
        networks.close()
        isStopped = true
        channel.kill()
        threads.kill()
    }

    fun use(credentials: Credentials) =
        synchronized(userLock) {
            userChanges++
            useNow(credentials)
        }

    private fun useNow(credentials: Credentials) {
        if (store.use(credentials)) notifier.removeAll()
        connect(credentials)
    }

    fun login(loginName: String, password: String, onResult: (Result<Credentials>) -> Unit) {
        val changesBefore = synchronized(userLock) { userChanges }
        inBackground(onResult) {
            // After the logout, the same user gets another push token. If it fails, [DeviceStore.use] drops it.
            sendLogoutsBeforeLogin()
            val body =
                JSONObject()
                    .put("login_name", loginName)
                    .put("password", password)
                    .put("device_guid", store.deviceGuid)
            val data = api.call("/token/login", body, null)
            val credentials = Credentials(data.getString("token"), data.getString("push_token"))
            synchronized(userLock) {
                if (isStopped) throw IOException("The SDK was stopped")
                if (userChanges != changesBefore) {
                    // The logout of a token of the current user would also end the current login.
                    if (store.credentials?.pushToken != credentials.pushToken) store.addLogout(credentials)
                    requestSync()
                    throw IOException("The user changed during the login")
                }
                useNow(credentials)
            }
            credentials
        }
    }

    /** The user waits for the login, so this ends with the first call that fails. */
    private fun sendLogoutsBeforeLogin() =
        try {
            sync.sendLogouts(failuresMax = 1)
        } catch (error: IOException) {
            log("An earlier logout was not sent: ${error.javaClass.simpleName}")
        }

    fun logout(onResult: (Result<Unit>) -> Unit) {
        synchronized(userLock) {
            userChanges++
            // The modules delete these tokens. The tokens of vendors without a module stay for the next login.
            config.vendors.forEach { store.removeToken(it.vendor.provider) }
            store.logout()
            notifier.removeAll()
            channel.close()
        }
        store.whenStored {
            ReportJob.schedule(context, log)
            inBackground<Unit>({ result ->
                onSyncEnded(result.isSuccess)
                onResult(result)
            }) {
                sync.sendLogouts()
                // After a stop, the result is not handled any more.
                if (isStopped) ReportJob.cancel(context)
            }
            // A vendor can take long, so the API learns of the logout first.
            inBackground<Unit>({ }) {
                registration.unregisterAll()
                // The next user may have logged in already.
                registerVendors()
            }
        }
    }

    fun onVendorToken(vendor: Vendor, token: String) =
        threads.state.execute {
            // For example, another app has sent a broadcast to the receiver of a module.
            if (!registration.accepts(vendor)) {
                log("A token of ${vendor.key} is ignored, because the SDK does not use this vendor on this phone.")
                return@execute
            }
            if (token.isNotEmpty()) store.saveToken(vendor.provider, token)
            store.whenStored(::requestSync)
        }

    /** The next synchronization removes a binding whose token is gone. */
    fun onVendorUnregistered(vendor: Vendor, token: String?) =
        threads.state.execute {
            store.removeToken(vendor.provider, token)
            store.whenStored(::requestSync)
        }

    fun onVendorError(vendor: Vendor, error: String) {
        log("${vendor.key} issued no token.")
        threads.state.execute {
            store.saveVendorError(vendor.provider, error.take(ERROR_CHARACTERS_MAX))
            requestSync()
        }
    }

    /** A vendor's SDK has failed, which a repetition may not. */
    fun onRegistrationFailed(vendor: Vendor, error: String) =
        threads.state.execute {
            // As with tokens, another app can have caused it.
            if (!registration.accepts(vendor)) {
                log("An error of ${vendor.key} is ignored, because the SDK does not use this vendor on this phone.")
                return@execute
            }
            onVendorError(vendor, error)
            threads.network.execute { registration.onFailed(vendor) }
        }

    fun onVendorMessage(data: Map<String, String>, title: String?, body: String?): Boolean {
        val notification = CarillonNotification.fromVendor(data, title, body) ?: return false
        offMainThread {
            val owner = vendorRecipient() ?: return@offMainThread
            report(ReportKind.RECEIPT, notification.reference)
            if (store.beginDisplay(notification.messageId)) main.post { display(notification, owner) }
        }
        return true
    }

    fun onVendorDisplayed(data: Map<String, String>): Boolean {
        val notification = CarillonNotification.fromVendor(data, isDisplayed = true) ?: return false
        offMainThread {
            if (vendorRecipient() == null) return@offMainThread
            report(ReportKind.RECEIPT, notification.reference)
            if (store.addSeen(notification.messageId)) changeBadge(notification)
        }
        return true
    }

    /** An app without modules can also have registered the tokens of its vendors without the SDK. */
    private fun vendorRecipient(): String? =
        if (config.vendors.isEmpty()) store.credentials?.pushToken else store.vendorRecipient

    fun onTap(notification: CarillonNotification) {
        offMainThread {
            // A vendor can report a tap twice. Later processes find it in the intent of a restored activity.
            val id = notification.reference.ifEmpty { notification.messageId }
            if (!store.addTap(id, notification.toJson().toString())) return@offMainThread
            // The user has seen it, so a copy on another channel must not be displayed.
            store.addSeen(notification.messageId)
            report(ReportKind.CLICK, notification.reference)
            main.post { synchronized(userLock) { notifier.remove(notification.messageId) } }
            deliverWaiting()
        }
    }

    /** Stores a report, and then sends it, so that the end of the process does not lose it. */
    private fun report(kind: ReportKind, reference: String) {
        if (reference.isEmpty()) return
        store.addReport(kind, reference)
        store.whenStored {
            ReportJob.schedule(context, log)
            requestSync()
        }
    }

    /** Sends everything that is waiting for the API. [onDone] gets whether nothing is left. */
    fun sendReports(onDone: (Boolean) -> Unit) =
        inBackground<Boolean>({ onDone(it.getOrDefault(false) && !store.hasReports) }) { syncUnlessStopped() }

    /** Delivers the taps, the data-only notifications and the end of the login that came before the listener was set. */
    fun deliverWaiting() =
        threads.state.execute {
            main.post {
                val receiver = listener()
                if (receiver == null || isStopped) return@post
                store.takeTaps().mapNotNull(CarillonNotification::fromPayload).forEach(receiver::onTap)
                store.takeMessages().mapNotNull(CarillonNotification::fromPayload).forEach { receiver.onNotification(it) }
                if (store.takeLogoutUnseen()) receiver.onLoggedOut()
            }
        }

    fun setBadge(badge: Int) =
        threads.state.execute {
            store.setBadge(badge)
            if (store.unsentBadge != null) store.whenStored(::requestSync)
        }

    /** Sends what has changed on the phone, such as the permission for notifications. */
    fun requestSync() {
        // One run sends everything that is stored when it begins.
        if (!isSyncQueued.compareAndSet(false, true)) return
        inBackground({ result -> onSyncEnded(result.getOrDefault(false)) }) {
            isSyncQueued.set(false)
            syncUnlessStopped()
        }
    }

    private fun syncUnlessStopped(): Boolean = !isStopped && sync.run()

    override fun onConnected() {
        log("The device is connected.")
        registerVendors()
        requestSync()
    }

    override fun onNotification(login: MqttLogin, payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit) {
        val notification = CarillonNotification.fromPayload(payload.decodeToString())
        if (notification == null) {
            acknowledge(UNREADABLE)
            return
        }
        if (!store.beginDisplay(notification.messageId)) {
            store.whenStored { acknowledge(SUCCESS) }
            return
        }
        main.post {
            val reasonCode = display(notification, login.pushToken)
            // After the acknowledgement, only the file protects the user from a copy through a vendor.
            store.whenStored { acknowledge(reasonCode) }
        }
    }

    override fun onRecall(payload: ByteArray) {
        val messageId = CarillonNotification.messageIdOfRecall(payload.decodeToString()) ?: return
        store.addSeen(messageId)
        // On the main thread, an earlier notification has been displayed by then.
        main.post {
            synchronized(userLock) { notifier.remove(messageId) }
            listener()?.onRecall(messageId)
        }
    }

    /** Returns the reason code of the acknowledgement. [owner] is the push token of the user who received it. */
    private fun display(notification: CarillonNotification, owner: String): Int {
        val reasonCode =
            when {
                !isOwner(owner) -> FAILED
                // It was recalled, or a vendor has displayed it.
                store.isSeen(notification.messageId) -> SUCCESS
                else -> displayForOwner(notification, owner)
            }
        store.endDisplay(notification.messageId, isDisplayed = reasonCode == SUCCESS)
        return reasonCode
    }

    private fun displayForOwner(notification: CarillonNotification, owner: String): Int =
        try {
            val receiver = listener()
            val isHandled = receiver?.onNotification(notification) ?: false
            if (receiver == null && notification.isDataOnly) store.addMessage(notification.toJson().toString())
            val badge = changeBadge(notification)
            val isExpired = notification.showEndTime?.let { it * 1_000 < WallClock.nowMs() } ?: false
            if (!isHandled && !notification.isDataOnly && !isExpired) {
                ifOwner(owner) { notifier.show(notification, badge) }
                addPicture(notification, badge, owner)
            }
            SUCCESS
        } catch (error: RuntimeException) {
            // Another channel delivers it, and must not be mistaken for a copy. The message can contain the text.
            log("A notification was not displayed: ${error.javaClass.simpleName} at ${error.stackTrace.firstOrNull()}")
            FAILED
        }

    /** The text is displayed first, because Carillon uses another channel after five seconds without an acknowledgement. */
    private fun addPicture(notification: CarillonNotification, badge: Int, owner: String) {
        val url = notification.attachmentUrl?.takeIf { notification.isImage } ?: return
        threads.pictures.execute {
            val picture = PictureLoader.load(url)
            if (picture == null) log("A picture was not loaded.")
            else ifOwner(owner) { if (notifier.isDisplayed(notification.messageId)) notifier.show(notification, badge, picture) }
        }
    }

    private fun ifOwner(owner: String, action: () -> Unit) = synchronized(userLock) { if (isOwner(owner)) action() }

    /** The user can change, and the SDK can be stopped, while a notification waits for the main thread. */
    private fun isOwner(pushToken: String) = !isStopped && store.credentials?.pushToken == pushToken

    private fun changeBadge(notification: CarillonNotification): Int {
        val badge = store.changeBadge { Badges.apply(it, notification.badge) }
        main.post { listener()?.onBadge(badge) }
        return badge
    }

    private fun connect(credentials: Credentials) {
        if (isStopped) return
        channel.open(MqttLogin(store.deviceGuid, credentials.pushToken, credentials.accessToken))
        registerVendors()
        requestSync()
    }

    private fun registerVendors() = inBackground<Unit>({ }) { if (!isStopped && store.credentials != null) registration.registerAll() }

    /** The delay does not wake the phone. A phone that sleeps registers the vendors when it is awake again. */
    private fun registerVendorsLater(delayMs: Long) {
        main.removeCallbacks(retry)
        if (!isStopped) main.postDelayed(retry, delayMs)
    }

    private fun onNetworkAvailable() {
        channel.wake()
        onNetwork()
    }

    private fun onNetworkChanged() {
        channel.reconnect()
        onNetwork()
    }

    /** A network can block MQTT, so this does not wait for a connection. */
    private fun onNetwork() {
        registerVendors()
        requestSync()
    }

    private fun onTokenBound(login: Credentials, vendor: Vendor, token: String) {
        main.post { if (isOwner(login.pushToken)) listener()?.onToken(vendor, token) }
    }

    private fun onLoginEnded(ended: Credentials) {
        synchronized(userLock) {
            if (!store.endLogin(ended)) return
            channel.close()
        }
        deliverWaiting()
    }

    /** If something could not be sent, a job repeats it, because the process can end. */
    private fun onSyncEnded(isDone: Boolean) =
        threads.state.execute {
            if (!isDone) ReportJob.schedule(context, log) else if (!store.hasReports) ReportJob.cancel(context)
        }

    /** A vendor's service must not end before its message is stored, so its thread does the work. */
    private fun offMainThread(work: () -> Unit) =
        if (Looper.myLooper() == Looper.getMainLooper()) {
            threads.state.execute(work)
        } else {
            work()
            store.flush()
        }

    private fun <T> inBackground(onResult: (Result<T>) -> Unit, work: () -> T) =
        threads.network.execute {
            val result =
                try {
                    Result.success(work())
                } catch (error: IOException) {
                    Result.failure(error)
                } catch (error: JSONException) {
                    Result.failure(IOException("The response is not from Carillon", error))
                } catch (error: Exception) {
                    // For example, from a phone with a broken HTTP stack. The message can contain a token.
                    Result.failure(IOException("The call failed: ${error.javaClass.simpleName}"))
                }
            result.onFailure { log("A call failed: ${it.javaClass.simpleName}") }
            main.post { onResult(result) }
        }

    private companion object {
        const val SUCCESS = 0x00
        const val FAILED = 0x80
        const val UNREADABLE = 0x99

        /** A process that has too many open files usually closes some of them within five minutes. */
        const val READ_ATTEMPTS_MAX = 10
        const val READ_DELAY_MS = 30_000L

        /** Limit of `/device/state`. */
        const val ERROR_CHARACTERS_MAX = 200
    }
}
