package dev.carillon.vivo

import android.content.Context
import com.vivo.push.model.UPSNotificationMessage
import com.vivo.push.sdk.OpenClientPushMessageReceiver
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor

/** Receives regIds and messages of vivo. */
class VivoPushReceiver : OpenClientPushMessageReceiver() {
    override fun onReceiveRegId(context: Context?, regId: String?) {
        if (!regId.isNullOrEmpty()) Carillon.onVendorToken(Vendor.VIVO, regId)
    }

    override fun onNotificationMessageClicked(context: Context?, message: UPSNotificationMessage?) {
        message?.params?.let(Carillon::onVendorTap)
    }

    /** Called instead of the display if the app is in the foreground and the message asks for it. */
    override fun onForegroundMessageArrived(message: UPSNotificationMessage?) {
        message?.params?.let { Carillon.onVendorMessage(it, message.title, message.content) }
    }
}
