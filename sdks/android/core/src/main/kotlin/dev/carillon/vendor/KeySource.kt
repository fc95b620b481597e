package dev.carillon.vendor

import android.content.Context
import android.content.pm.PackageManager
import android.os.Bundle
import dev.carillon.api.ApiClient
import dev.carillon.state.DeviceStore
import java.io.IOException

/** Finds the keys of a vendor: in the manifest of the app, or in the credentials that Carillon stores. */
internal class KeySource(
    private val context: Context,
    private val api: ApiClient,
    private val store: DeviceStore,
    private val environment: Int,
) {
    /** Keys in the manifest have priority, and need no network. Blocks its thread while it calls the API. */
    fun of(vendor: Vendor): VendorKeys = inManifest(vendor) ?: inCarillon(vendor)

    /** Reads metadata such as `dev.carillon.huawei.app_id`. Returns null if the manifest has none for this vendor. */
    private fun inManifest(vendor: Vendor): VendorKeys? {
        val application = context.packageManager.getApplicationInfo(context.packageName, PackageManager.GET_META_DATA)
        val metadata = application.metaData ?: return null
        val keys =
            VendorKeys(
                appId = metadata.text("dev.carillon.${vendor.key}.app_id"),
                appKey = metadata.text("dev.carillon.${vendor.key}.app_key"),
                appSecret = metadata.text("dev.carillon.${vendor.key}.app_secret"),
            )
        return keys.takeIf { it != VendorKeys() }
    }

    private fun inCarillon(vendor: Vendor): VendorKeys {
        // The user can log out while the vendors are registered.
        val accessToken = store.credentials?.accessToken ?: throw IOException("No user is logged in")
        val data = api.call("/push/certificate?provider=${vendor.provider}&environment=$environment", null, accessToken)
        return VendorKeys(data.optString("app_id"), data.optString("app_key"), data.optString("app_secret"))
    }

    /** Android turns values of digits into numbers. A long number needs the prefix `&#32;` or must be a string resource. */
    private fun Bundle.text(name: String): String {
        @Suppress("DEPRECATION") // the type of the value is not known
        return get(name)?.toString()?.trim().orEmpty()
    }
}
