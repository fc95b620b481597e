package dev.carillon.reactnative

import android.content.Context
import android.content.pm.PackageManager
import android.util.AtomicFile
import dev.carillon.Carillon
import dev.carillon.CarillonConfig
import dev.carillon.vendor.VendorPush
import org.json.JSONException
import org.json.JSONObject
import java.io.File
import java.io.FileNotFoundException

/**
 * Starts the SDK. A message of a vendor can start the process of the app without JavaScript. For this case, the settings
 * of the last start are kept in a file, until the consent is withdrawn.
 */
object CarillonStartup {
    @Volatile
    internal var displaysInForeground = true
        private set

    /**
     * Starts the SDK if JavaScript has started it before. Call it in `Application.onCreate`. Before the consent, it only
     * checks whether the file exists.
     */
    @JvmStatic
    fun resume(context: Context) {
        val settings =
            try {
                JSONObject(String(fileOf(context).readFully()))
            } catch (_: FileNotFoundException) {
                return
            } catch (_: JSONException) {
                return
            }
        startWith(context, settings)
    }

    internal fun start(context: Context, settings: String) {
        val json = JSONObject(settings)
        // Wrong settings throw an exception before they are stored.
        startWith(context, json)
        val file = fileOf(context)
        val out = file.startWrite()
        out.write(json.toString().toByteArray())
        file.finishWrite(out)
    }

    internal fun forget(context: Context) = fileOf(context).delete()

    private fun startWith(context: Context, settings: JSONObject) {
        displaysInForeground = settings.optBoolean("displaysInForeground", true)
        Carillon.start(
            context,
            CarillonConfig(
                apiUrl = settings.getString("apiUrl"),
                gatewayUrl = settings.getString("gatewayUrl"),
                appId = settings.getString("appId"),
                smallIcon = iconOf(context, settings.optString("smallIcon")),
                channelId = settings.optString("channelId").ifEmpty { "carillon" },
                channelName = settings.optString("channelName").ifEmpty { "Notifications" },
                vendors = vendors(),
                environment = settings.optInt("environment", 1),
            ),
        )
    }

    /** Returns the modules that the app includes. Their constructors must not be removed: see `proguard.txt`. */
    private fun vendors(): List<VendorPush> =
        vendorClasses.mapNotNull { name ->
            try {
                Class.forName(name).getDeclaredConstructor().newInstance() as VendorPush
            } catch (_: ClassNotFoundException) {
                null
            }
        }

    @Suppress("DiscouragedApi") // JavaScript knows only the name of a resource.
    private fun iconOf(context: Context, name: String): Int {
        if (name.isNotEmpty()) {
            val icon = context.resources.getIdentifier(name, "drawable", context.packageName)
            require(icon != 0) { "The app has no drawable $name." }
            return icon
        }
        val application = context.packageManager.getApplicationInfo(context.packageName, PackageManager.GET_META_DATA)
        return application.metaData?.getInt(ICON)?.takeIf { it != 0 } ?: application.icon
    }

    private fun fileOf(context: Context) = AtomicFile(File(context.noBackupFilesDir, "carillon-react-native.json"))

    private const val ICON = "dev.carillon.small_icon"

    private val vendorClasses =
        listOf("fcm.Fcm", "huawei.Huawei", "honor.Honor", "xiaomi.Xiaomi", "oppo.Oppo", "vivo.Vivo", "meizu.Meizu", "unifiedpush.UnifiedPush")
            .map { "dev.carillon.${it}Vendor" }
}
