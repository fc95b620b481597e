package dev.carillon.reactnative

import android.content.Context
import android.content.pm.PackageManager
import android.content.res.Resources
import android.graphics.drawable.AdaptiveIconDrawable
import android.os.Build
import android.util.AtomicFile
import android.util.Log
import dev.carillon.Carillon
import dev.carillon.CarillonConfig
import dev.carillon.vendor.VendorPush
import org.json.JSONException
import org.json.JSONObject
import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.lang.reflect.InvocationTargetException

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
     * checks whether the file exists. Settings that an update of the app has made wrong must not end each process of the
     * app. The SDK then waits for JavaScript, and `start` returns the error.
     */
    @JvmStatic
    fun resume(context: Context) {
        try {
            startWith(context, JSONObject(String(fileOf(context).readFully())))
        } catch (_: FileNotFoundException) {
            // There is no consent.
        } catch (error: IOException) {
            logFailure(error)
        } catch (error: JSONException) {
            logFailure(error)
        } catch (error: IllegalArgumentException) {
            logFailure(error)
        }
    }

    private fun logFailure(error: Exception) = Log.w("Carillon", "The stored settings cannot be used: ${error.message}")

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

    /**
     * Returns the modules that the app includes, with the SDKs of their vendors. Their constructors must not be removed:
     * see `proguard.txt`.
     */
    private fun vendors(): List<VendorPush> =
        vendorClasses.mapNotNull { name ->
            try {
                Class.forName(name).getDeclaredConstructor().newInstance() as VendorPush
            } catch (_: ClassNotFoundException) {
                null
            } catch (error: InvocationTargetException) {
                logMissingSdk(name, error.targetException)
            } catch (error: LinkageError) {
                logMissingSdk(name, error)
            }
        }

    /** One vendor must not prevent the start of the others. */
    private fun logMissingSdk(name: String, error: Throwable): VendorPush? {
        Log.w("Carillon", "$name cannot be used. Add the SDK of the vendor to the app: $error")
        return null
    }

    internal fun iconOf(context: Context, name: String): Int {
        val icon = chosenIcon(context, name)
        return if (canBeSmallIcon(context, icon)) icon else FALLBACK_ICON
    }

    /** On Android 8.0, an adaptive icon in the status bar crashes the system's user interface, again after each restart. */
    private fun canBeSmallIcon(context: Context, icon: Int): Boolean {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.O || Build.VERSION.SDK_INT > Build.VERSION_CODES.O) return true
        return try {
            context.getDrawable(icon) !is AdaptiveIconDrawable
        } catch (_: Resources.NotFoundException) {
            false
        }
    }

    @Suppress("DiscouragedApi") // JavaScript knows only the name of a resource.
    private fun chosenIcon(context: Context, name: String): Int {
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

    /** A bitmap in every version of Android. Android's default icon for apps, `sym_def_app_icon`, is adaptive. */
    private const val FALLBACK_ICON = android.R.drawable.ic_popup_reminder

    private val vendorClasses =
        listOf("fcm.Fcm", "huawei.Huawei", "honor.Honor", "xiaomi.Xiaomi", "oppo.Oppo", "vivo.Vivo", "meizu.Meizu", "unifiedpush.UnifiedPush")
            .map { "dev.carillon.${it}Vendor" }
}
