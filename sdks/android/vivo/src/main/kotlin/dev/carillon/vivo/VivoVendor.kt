package dev.carillon.vivo

import android.content.Context
import com.vivo.push.PushClient
import com.vivo.push.PushConfig
import com.vivo.push.listener.IPushQueryActionListener
import com.vivo.push.util.VivoPushException
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/**
 * Push service of vivo and iQOO. Its SDK reads the AppID and the AppKey from the metadata `com.vivo.push.app_id` and
 * `com.vivo.push.api_key` of the manifest.
 */
class VivoVendor : VendorPush {
    override val vendor = Vendor.VIVO

    override val needsKeys = false

    override fun isAvailable(context: Context): Boolean =
        try {
            PushClient.getInstance(context).isSupport
        } catch (_: Exception) {
            false
        }

    override fun register(context: Context, keys: VendorKeys) {
        val client = PushClient.getInstance(context)
        try {
            initialize(client)
        } catch (error: VivoPushException) {
            Carillon.onVendorError(vendor, error.javaClass.simpleName)
            return
        }
        client.turnOnPush { state ->
            if (state == SUCCESS || state == ALREADY_ON) client.getRegId(regIdListener()) else reportCode(state)
        }
    }

    /** Carillon has removed the token already, so the result is not needed. */
    override fun unregister(context: Context, keys: VendorKeys) {
        val client = PushClient.getInstance(context)
        initialize(client)
        client.turnOffPush {}
    }

    /** The app starts Carillon only after the user has agreed to its privacy statement. */
    private fun initialize(client: PushClient) = client.initialize(PushConfig.Builder().agreePrivacyStatement(true).build())

    /** Created only here, because the app can include this module without vivo's SDK. */
    private fun regIdListener() =
        object : IPushQueryActionListener {
            override fun onSuccess(regId: String?) {
                if (!regId.isNullOrEmpty()) Carillon.onVendorToken(vendor, regId)
            }

            override fun onFail(errorCode: Int?) = reportCode(errorCode)
        }

    private fun reportCode(code: Int?) = Carillon.onVendorError(vendor, "code $code")

    private companion object {
        const val SUCCESS = 0

        /** The service was on before the call. */
        const val ALREADY_ON = 1
    }
}
