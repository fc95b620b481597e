package dev.carillon.meizu

import android.content.Context
import com.meizu.cloud.pushsdk.MzPushMessageReceiver
import com.meizu.cloud.pushsdk.handler.MzPushMessage
import com.meizu.cloud.pushsdk.platform.message.BasicPushStatus
import com.meizu.cloud.pushsdk.platform.message.PushSwitchStatus
import com.meizu.cloud.pushsdk.platform.message.RegisterStatus
import com.meizu.cloud.pushsdk.platform.message.SubAliasStatus
import com.meizu.cloud.pushsdk.platform.message.SubTagsStatus
import com.meizu.cloud.pushsdk.platform.message.UnRegisterStatus
import dev.carillon.Carillon
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData

/** Receives pushIds and messages of Meizu. */
class MeizuPushReceiver : MzPushMessageReceiver() {
    override fun onRegisterStatus(context: Context?, status: RegisterStatus?) {
        val pushId = status?.pushId
        if (status?.code == BasicPushStatus.SUCCESS_CODE && !pushId.isNullOrEmpty()) {
            Carillon.onVendorToken(Vendor.MEIZU, pushId)
        } else {
            Carillon.onVendorError(Vendor.MEIZU, "code ${status?.code}")
        }
    }

    /** Meizu documents no parameters here. If they are missing, Meizu itself still reports the receipt to Carillon. */
    override fun onNotificationArrived(context: Context?, message: MzPushMessage?) {
        Carillon.onVendorDisplayed(VendorData.ofJson(message?.selfDefineContentString))
    }

    /** The data of a tap is in the extras of the activity that it opens. */
    override fun onNotificationClicked(context: Context?, message: MzPushMessage?) {}

    override fun onUnRegisterStatus(context: Context?, status: UnRegisterStatus?) {}

    override fun onPushStatus(context: Context?, status: PushSwitchStatus?) {}

    override fun onSubTagsStatus(context: Context?, status: SubTagsStatus?) {}

    override fun onSubAliasStatus(context: Context?, status: SubAliasStatus?) {}
}
