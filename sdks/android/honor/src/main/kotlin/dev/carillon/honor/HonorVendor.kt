package dev.carillon.honor

import android.content.Context
import com.hihonor.push.sdk.HonorPushCallback
import com.hihonor.push.sdk.HonorPushClient
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** Push service of Honor. Its SDK reads the App ID from the metadata `com.hihonor.push.app_id` of the manifest. */
class HonorVendor : VendorPush {
    override val vendor = Vendor.HONOR

    override val needsKeys = false

    override fun isAvailable(context: Context): Boolean =
        try {
            HonorPushClient.getInstance().checkSupportHonorPush(context)
        } catch (_: Exception) {
            false
        }

    override fun register(context: Context, keys: VendorKeys) {
        // With false, the SDK requests no token itself.
        HonorPushClient.getInstance().init(context, false)
        HonorPushClient.getInstance().getPushToken(
            object : HonorPushCallback<String> {
                override fun onSuccess(token: String?) {
                    if (!token.isNullOrEmpty()) Carillon.onVendorToken(vendor, token)
                }

                override fun onFailure(errorCode: Int, errorMessage: String?) =
                    Carillon.onVendorError(vendor, "code $errorCode")
            },
        )
    }

    override fun unregister(context: Context) =
        HonorPushClient.getInstance().deletePushToken(
            object : HonorPushCallback<Void> {
                override fun onSuccess(result: Void?) {}

                /** Carillon has removed the token already. */
                override fun onFailure(errorCode: Int, errorMessage: String?) {}
            },
        )
}
