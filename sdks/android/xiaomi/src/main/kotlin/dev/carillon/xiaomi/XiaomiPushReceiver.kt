package dev.carillon.xiaomi

import android.content.Context
import com.xiaomi.mipush.sdk.ErrorCode
import com.xiaomi.mipush.sdk.MiPushClient
import com.xiaomi.mipush.sdk.MiPushCommandMessage
import com.xiaomi.mipush.sdk.MiPushMessage
import com.xiaomi.mipush.sdk.PushMessageReceiver
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData

/** Receives regIds and messages of Xiaomi. */
class XiaomiPushReceiver : PushMessageReceiver() {
    override fun onReceiveRegisterResult(context: Context?, message: MiPushCommandMessage?) {
        if (message?.command != MiPushClient.COMMAND_REGISTER) return
        val regId = message.commandArguments?.firstOrNull()
        if (message.resultCode == ErrorCode.SUCCESS.toLong() && !regId.isNullOrEmpty()) {
            Carillon.onVendorToken(Vendor.XIAOMI, regId)
        } else {
            Carillon.onVendorError(Vendor.XIAOMI, "code ${message.resultCode}")
        }
    }

    override fun onNotificationMessageArrived(context: Context?, message: MiPushMessage?) {
        Carillon.onVendorDisplayed(VendorData.ofJson(message?.content))
    }

    override fun onNotificationMessageClicked(context: Context?, message: MiPushMessage?) {
        Carillon.onVendorTap(VendorData.ofJson(message?.content))
    }
}
