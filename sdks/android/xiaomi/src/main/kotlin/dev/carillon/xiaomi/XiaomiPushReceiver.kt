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
    /** Any app can send this broadcast. The regId is therefore read from the SDK, which has stored it before. */
    override fun onReceiveRegisterResult(context: Context?, message: MiPushCommandMessage?) {
        if (context == null || message?.command != MiPushClient.COMMAND_REGISTER) return
        // Before the consent, nothing may read identifiers.
        if (!Carillon.isStarted) return
        val regId = if (message.resultCode == ErrorCode.SUCCESS.toLong()) MiPushClient.getRegId(context) else null
        if (!regId.isNullOrEmpty()) {
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
