package dev.carillon.vendor

import android.content.Context
import android.os.Build
import dev.carillon.api.ApiException
import dev.carillon.state.DeviceStore
import dev.carillon.state.Registration
import java.io.IOException
import java.util.Collections

/** Requests the tokens of the vendors that suit this phone. Used by one thread, except [accepts]. */
internal class VendorRegistration(
    private val context: Context,
    private val modules: List<VendorPush>,
    private val keys: KeySource,
    private val store: DeviceStore,
    private val onError: (Vendor, String) -> Unit,
    /** Calls [registerAll] after a delay in milliseconds. Another call replaces the delay. */
    private val repeatLater: (Long) -> Unit,
    private val log: (String) -> Unit,
) {
    /** The vendors that need no further attempt in this process and login. */
    private val registered = mutableSetOf<Vendor>()
    private val failures = mutableMapOf<Vendor, Int>()
    private var repeats = 0
    private var isRepeatWaiting = false
    private val withoutSdk = Collections.synchronizedSet(mutableSetOf<Vendor>())

    /** Registers each vendor once per process and login, because a token can change while the app does not run. */
    fun registerAll() {
        isRepeatWaiting = false
        for (module in selected().filter { it.vendor !in registered }) {
            val vendorKeys =
                try {
                    if (module.needsKeys) keys.of(module.vendor) else VendorKeys()
                } catch (error: IOException) {
                    log("The keys of ${module.vendor.key} are missing: ${error.javaClass.simpleName}")
                    if (error is ApiException && !error.isTemporary && !error.isLoggedOut) {
                        registered += module.vendor
                        onError(module.vendor, "Carillon has no credentials: code ${error.code}")
                    } else {
                        repeat()
                    }
                    continue
                }
            registered += module.vendor
            store.saveRegistration(module.vendor.provider, Registration(vendorKeys.appId, vendorKeys.appKey))
            val error = guard(module) { module.register(context, vendorKeys) } ?: continue
            onError(module.vendor, withoutKeys(error, vendorKeys))
            // A missing SDK stays missing.
            if (error is Exception) onFailed(module.vendor)
        }
    }

    /** Returns whether a token can be from this vendor. An app passes the token of a vendor without a module itself. */
    fun accepts(vendor: Vendor): Boolean = modules.none { it.vendor == vendor } || selected().any { it.vendor == vendor }

    /** Repeats a registration that failed, for example because the phone had no network: later, or at the next connection. */
    fun onFailed(vendor: Vendor) {
        val count = (failures[vendor] ?: 0) + 1
        failures[vendor] = count
        if (count >= ATTEMPTS_MAX) return
        registered -= vendor
        repeat()
    }

    /** Several vendors that have failed wait for the same repetition. */
    private fun repeat() {
        if (isRepeatWaiting || repeats == REPEATS_MAX) return
        isRepeatWaiting = true
        repeatLater(FIRST_REPEAT_MS shl repeats++)
    }

    fun unregisterAll() {
        registered.clear()
        failures.clear()
        repeats = 0
        isRepeatWaiting = false
        // An earlier process may have registered them. A vendor that was never registered must not start now.
        for (module in selected()) {
            val (appId, appKey) = store.takeRegistration(module.vendor.provider) ?: continue
            guard(module) { module.unregister(context, VendorKeys(appId, appKey)) }
        }
    }

    /** Asks only the vendors of this maker, so that the SDKs of other makers do nothing on this phone. */
    private fun selected(): List<VendorPush> {
        val byVendor = modules.associateBy(VendorPush::vendor)
        val isAvailable = { vendor: Vendor -> byVendor[vendor]?.let(::isAvailable) ?: false }
        return VendorSelection.select(Build.MANUFACTURER, Build.BRAND, isAvailable).map(byVendor::getValue)
    }

    private fun isAvailable(module: VendorPush): Boolean {
        var result = false
        val error = guard(module) { result = module.isAvailable(context) }
        // The app has the module of this vendor, but not its SDK. An exception can mean that the phone has no such service.
        if (error is LinkageError && withoutSdk.add(module.vendor)) onError(module.vendor, error.toString())
        return result
    }

    /** Returns the error of a vendor's SDK, which can throw anything and must not stop the other vendors. */
    private fun guard(module: VendorPush, call: () -> Unit): Throwable? =
        try {
            call()
            null
        } catch (error: Exception) {
            log("The module of ${module.vendor.key} failed: ${error.javaClass.simpleName}")
            error
        } catch (error: LinkageError) {
            log("The SDK of ${module.vendor.key} is missing: ${error.javaClass.simpleName}")
            error
        }

    /** An exception can contain the keys that the SDK rejected. */
    private fun withoutKeys(error: Throwable, keys: VendorKeys): String =
        listOf(keys.appId, keys.appKey, keys.appSecret).filter(String::isNotEmpty)
            .fold(error.toString()) { text, key -> text.replace(key, "…") }

    private companion object {
        /** Per process and login, because a vendor limits registrations, and wrong keys stay wrong. */
        const val ATTEMPTS_MAX = 5

        /** Per process and login. Each delay is twice the previous one, so the last of them is four hours. */
        const val REPEATS_MAX = 10
        const val FIRST_REPEAT_MS = 30_000L
    }
}
