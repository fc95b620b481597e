package dev.carillon

import android.content.Context
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import android.net.NetworkRequest
import android.os.Build
import java.io.Closeable

/** The networks of the phone. A change from one network to another calls only [onChanged]. */
internal class Networks(context: Context, private val onAvailable: () -> Unit, private val onChanged: () -> Unit) : Closeable {
    private val manager = context.getSystemService(Context.CONNECTIVITY_SERVICE) as ConnectivityManager

    private val callback =
        object : ConnectivityManager.NetworkCallback() {
            private var current: Network? = null

            override fun onAvailable(network: Network) {
                val previous = current
                current = network
                // A connection over the previous network can be dead without an error.
                if (previous != null && previous != network && hasDefaultCallback) onChanged() else this@Networks.onAvailable()
            }
        }

    init {
        orNull {
            if (hasDefaultCallback) {
                manager.registerDefaultNetworkCallback(callback)
            } else {
                val request = NetworkRequest.Builder().addCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET).build()
                manager.registerNetworkCallback(request, callback)
            }
        }
    }

    override fun close() {
        orNull { manager.unregisterNetworkCallback(callback) }
    }

    /**
     * Returns the longest time without a packet. Mobile networks keep idle connections for about five minutes, routers
     * at home often for less. A longer time saves battery, because each packet wakes the radio.
     */
    fun keepAliveSeconds(): Int {
        val capabilities = orNull { manager.getNetworkCapabilities(manager.activeNetwork) }
        return if (capabilities?.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) == true) MOBILE else OTHER
    }

    /** Some phones throw a SecurityException in spite of the permission. Without callbacks, the channel reconnects later. */
    private fun <T> orNull(call: () -> T): T? =
        try {
            call()
        } catch (_: RuntimeException) {
            null
        }

    private companion object {
        const val MOBILE = 270
        const val OTHER = 180

        /** Android 6 reports every network, and does not say which of them is the default. */
        val hasDefaultCallback = Build.VERSION.SDK_INT >= Build.VERSION_CODES.N
    }
}
