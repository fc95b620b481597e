package dev.carillon.honor

import com.hihonor.push.sdk.HonorMessageService
import com.hihonor.push.sdk.HonorPushDataMsg
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData

/** Receives tokens and data-only messages of Honor. */
class HonorPushService : HonorMessageService() {
    override fun onNewToken(token: String?) {
        if (!token.isNullOrEmpty()) Carillon.onVendorToken(Vendor.HONOR, token)
    }

    override fun onMessageReceived(message: HonorPushDataMsg?) {
        Carillon.onVendorMessage(VendorData.ofJson(message?.data))
    }
}
