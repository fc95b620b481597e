package dev.carillon.meizu

import android.content.Context
import com.meizu.cloud.pushsdk.PushManager
import com.meizu.cloud.pushsdk.util.MzSystemUtils
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPush

/** Push service of Meizu. Needs the AppId and the AppKey. */
class MeizuVendor : VendorPush {
    override val vendor = Vendor.MEIZU

    override fun isAvailable(context: Context): Boolean =
        try {
            MzSystemUtils.isBrandMeizu(context)
        } catch (_: Exception) {
            false
        }

    /** The pushId arrives in the receiver. */
    override fun register(context: Context, keys: VendorKeys) = PushManager.register(context, keys.appId, keys.appKey)

    override fun unregister(context: Context, keys: VendorKeys) = PushManager.unRegister(context, keys.appId, keys.appKey)
}
