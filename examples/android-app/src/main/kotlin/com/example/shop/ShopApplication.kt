package com.example.shop

import android.app.Application
import android.content.Context
import dev.carillon.Carillon
import dev.carillon.CarillonConfig

open class ShopApplication : Application() {
    /** An emulator reaches the computer on which it runs at 10.0.2.2. */
    protected open val config: CarillonConfig
        get() =
            CarillonConfig(
                apiUrl = "http://10.0.2.2:8080",
                gatewayUrl = "mqtt://10.0.2.2:1883",
                appId = "demo",
                smallIcon = android.R.drawable.ic_popup_reminder,
            )

    private val settings get() = getSharedPreferences("shop", Context.MODE_PRIVATE)

    val hasConsent: Boolean get() = settings.getBoolean("consent", false)

    override fun onCreate() {
        super.onCreate()
        if (hasConsent) Carillon.start(this, config)
    }

    /** Called when the user accepts the privacy policy. */
    fun acceptPolicy() {
        settings.edit().putBoolean("consent", true).apply()
        Carillon.start(this, config)
    }
}
