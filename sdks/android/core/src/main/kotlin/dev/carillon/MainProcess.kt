package dev.carillon

import android.app.Application
import android.content.Context
import android.os.Build
import java.io.File
import java.io.IOException

/**
 * Some vendors start a second process of the app, in which Android also calls `Application.onCreate`. Two processes with
 * one device would disconnect each other and overwrite each other's file.
 */
internal object MainProcess {
    /** Returns whether this is the main process of the app. It is also true if the name is unknown. */
    fun isThis(context: Context): Boolean = isMain(name(), context.applicationInfo.processName)

    fun isMain(name: String?, mainName: String?): Boolean = name.isNullOrEmpty() || mainName == null || name == mainName

    private fun name(): String? =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            Application.getProcessName()
        } else {
            try {
                File("/proc/self/cmdline").readText().substringBefore('\u0000')
            } catch (_: IOException) {
                null
            }
        }
}
