package com.example.shop

import android.app.Activity
import android.os.Bundle
import android.view.View
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView
import dev.carillon.Carillon
import dev.carillon.CarillonListener
import dev.carillon.CarillonNotification

/** Asks for the consent, logs the user in, and receives taps. */
class MainActivity : Activity() {
    private val shop get() = application as ShopApplication
    private lateinit var status: TextView

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        status = TextView(this)
        val page = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        page.addView(status)
        page.addView(button(ACCEPT, "Accept the privacy policy", ::acceptPolicy))
        page.addView(button(LOG_IN, "Log in as ada", ::logIn))
        setContentView(page)
        if (shop.hasConsent) listen()
    }

    private fun acceptPolicy() {
        shop.acceptPolicy()
        listen()
    }

    private fun logIn() {
        Carillon.login("ada@example.com", "ada-password") { result ->
            status.text = if (result.isSuccess) "Logged in" else result.exceptionOrNull()?.message
            if (result.isSuccess) Carillon.requestNotificationPermission(this, PERMISSION_REQUEST)
        }
    }

    override fun onRequestPermissionsResult(requestCode: Int, permissions: Array<String>, results: IntArray) {
        if (requestCode == PERMISSION_REQUEST) Carillon.onNotificationPermissionResult()
    }

    private val listener = object : CarillonListener {
        override fun onTap(notification: CarillonNotification) {
            status.text = "Tapped: ${notification.title}"
        }
    }

    private fun listen() = Carillon.setListener(listener)

    override fun onDestroy() {
        Carillon.removeListener(listener)
        super.onDestroy()
    }

    private fun button(buttonId: Int, label: String, onClick: () -> Unit): View =
        Button(this).apply {
            id = buttonId
            text = label
            setOnClickListener { onClick() }
        }

    companion object {
        internal const val ACCEPT = 1
        internal const val LOG_IN = 2
        private const val PERMISSION_REQUEST = 3
    }
}
