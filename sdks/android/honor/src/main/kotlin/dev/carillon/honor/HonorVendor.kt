package dev.carillon.honor

import android.content.Context
import com.hihonor.push.sdk.HonorPushCallback
import com.hihonor.push.sdk.HonorPushClient
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

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

    /** Until the token is deleted, the SDK could return it to the next user, who would then receive nothing. */
    override fun unregister(context: Context, keys: VendorKeys) {
        val isDone = CountDownLatch(1)
        HonorPushClient.getInstance().init(context, false)
        HonorPushClient.getInstance().deletePushToken(
            object : HonorPushCallback<Void> {
                override fun onSuccess(result: Void?) = isDone.countDown()

                /** Carillon has removed the token already. */
                override fun onFailure(errorCode: Int, errorMessage: String?) = isDone.countDown()
            },
        )
        isDone.await(DELETION_SECONDS_MAX, TimeUnit.SECONDS)
    }

    private companion object {
        /** Without a network, the deletion may never end. Other calls of the SDK must not wait longer. */
        const val DELETION_SECONDS_MAX = 30L
    }
}
