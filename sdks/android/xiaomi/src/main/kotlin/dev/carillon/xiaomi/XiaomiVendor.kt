package dev.carillon.xiaomi

import android.content.Context
import android.content.Intent
import com.xiaomi.mipush.sdk.MiPushClient
import com.xiaomi.mipush.sdk.MiPushMessage
import com.xiaomi.mipush.sdk.PushMessageHelper
import dev.carillon.vendor.Vendor
import dev.carillon.vendor.VendorData
import dev.carillon.vendor.VendorKeys
import dev.carillon.vendor.VendorPhone
import dev.carillon.vendor.VendorPush

/** Push service of Xiaomi. Needs the AppID and the AppKey. */
class XiaomiVendor : VendorPush {
    override val vendor = Vendor.XIAOMI

    /** Without this system service, the SDK would keep its own connection, which ends with the process of the app. */
    override fun isAvailable(context: Context): Boolean = VendorPhone.hasPackage(context, SYSTEM_SERVICE)

    /** The regId arrives in the receiver. */
    override fun register(context: Context, keys: VendorKeys) =
        MiPushClient.registerPush(context, keys.appId, keys.appKey)

    override fun unregister(context: Context, keys: VendorKeys) = MiPushClient.unregisterPush(context)

    /** The notifications of Carillon open an activity directly, so the SDK passes the message in the intent. */
    override fun dataOfTap(intent: Intent): Map<String, String> =
        try {
            @Suppress("DEPRECATION") // the replacement exists since API 33
            VendorData.ofJson((intent.getSerializableExtra(PushMessageHelper.KEY_MESSAGE) as? MiPushMessage)?.content)
        } catch (_: RuntimeException) {
            // Another app can send extras that cannot be read.
            emptyMap()
        } catch (_: StackOverflowError) {
            // Android calls itself for each level of nested extras.
            emptyMap()
        }

    private companion object {
        const val SYSTEM_SERVICE = "com.xiaomi.xmsf"
    }
}
