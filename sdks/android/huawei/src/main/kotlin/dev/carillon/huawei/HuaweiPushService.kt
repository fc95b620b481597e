package dev.carillon.huawei

import com.huawei.hms.push.BaseException
import com.huawei.hms.push.HmsMessageService
import com.huawei.hms.push.RemoteMessage
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor

/** Receives tokens and data-only messages of Push Kit. */
class HuaweiPushService : HmsMessageService() {
    override fun onNewToken(token: String?) {
        if (!token.isNullOrEmpty()) Carillon.onVendorToken(Vendor.HUAWEI, token)
    }

    override fun onTokenError(error: Exception?) {
        val code = (error as? BaseException)?.errorCode
        Carillon.onVendorError(Vendor.HUAWEI, if (code == null) "unknown error" else "code $code")
    }

    override fun onMessageReceived(message: RemoteMessage?) {
        val data = message?.dataOfMap ?: return
        Carillon.onVendorMessage(data, message.notification?.title, message.notification?.body)
    }
}
