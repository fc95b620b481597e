package dev.carillon.oppo

import android.content.Context
import com.heytap.msp.push.HeytapPushManager
import com.heytap.msp.push.callback.ICallBackResultService
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** Push service of OPPO, realme and OnePlus. Needs the AppKey and the AppSecret. */
class OppoVendor : VendorPush {
    override val vendor = Vendor.OPPO

    override fun isAvailable(context: Context): Boolean =
        try {
            HeytapPushManager.isSupportPush(context)
        } catch (_: Exception) {
            false
        }

    override fun register(context: Context, keys: VendorKeys) {
        HeytapPushManager.init(context, false)
        HeytapPushManager.register(context, keys.appKey, keys.appSecret, OppoCallback)
    }

    override fun unregister(context: Context, keys: VendorKeys) {
        HeytapPushManager.init(context, false)
        HeytapPushManager.unRegister()
    }
}

/** Receives the results of OPPO's SDK. */
private object OppoCallback : ICallBackResultService {
    private const val SUCCESS = 0

    override fun onRegister(responseCode: Int, registerId: String?, packageName: String?, miniPackageName: String?) {
        if (responseCode == SUCCESS && !registerId.isNullOrEmpty()) {
            Carillon.onVendorToken(Vendor.OPPO, registerId)
        } else {
            Carillon.onVendorError(Vendor.OPPO, "code $responseCode")
        }
    }

    override fun onError(errorCode: Int, message: String?, packageName: String?, miniPackageName: String?) =
        Carillon.onVendorError(Vendor.OPPO, "code $errorCode")

    override fun onUnRegister(responseCode: Int, packageName: String?, miniPackageName: String?) {}

    override fun onSetPushTime(responseCode: Int, pushTime: String?) {}

    override fun onGetPushStatus(responseCode: Int, status: Int) {}

    override fun onGetNotificationStatus(responseCode: Int, status: Int) {}
}
