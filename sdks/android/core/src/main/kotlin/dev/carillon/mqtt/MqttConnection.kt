package dev.carillon.mqtt

import android.os.Build
import android.os.SystemClock
import android.security.NetworkSecurityPolicy
import java.io.BufferedInputStream
import java.io.Closeable
import java.io.DataInputStream
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketException
import java.net.SocketTimeoutException
import java.net.UnknownHostException
import java.util.concurrent.TimeUnit
import javax.net.ssl.HttpsURLConnection
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLPeerUnverifiedException
import javax.net.ssl.SSLSocket
import kotlin.math.min

/** Values with which a device connects. */
internal data class MqttLogin(val deviceGuid: String, val pushToken: String, val accessToken: String)

internal interface MqttListener {
    fun onConnected()

    /** A notification for the user of [login]. Exactly one call of [acknowledge] must follow, from any thread. */
    fun onNotification(login: MqttLogin, payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit)

    fun onRecall(payload: ByteArray)
}

/**
 * One connection to a gateway. [run] blocks its thread until the connection ends. While nothing arrives, the thread
 * sleeps in the socket, so that an idle connection costs one small packet per keep-alive and never wakes the phone.
 */
internal class MqttConnection(
    private val gateway: Gateway,
    private val login: MqttLogin,
    private val keepAliveSeconds: Int,
    private val listener: MqttListener,
    private val checkMs: Long = CHECK_MS_MAX,
    private val addressesOf: (host: String) -> Array<InetAddress> = InetAddress::getAllByName,
) : Closeable {
    private val writeLock = Any()

    /** The TCP connection to one address of the gateway. Null before the first attempt. */
    @Volatile
    private var plain: Socket? = null

    /** The socket for packets: [plain], or TLS over it. Null until packets can be written. */
    @Volatile
    private var socket: Socket? = null

    @Volatile
    private var isClosed = false

    @Volatile
    private var openedNs = 0L
    private var writtenMs = 0L

    /** Connects, and passes on notifications. Returns the reason code of the gateway, or null if it sent none. */
    fun run(): Int? {
        if (!gateway.isEncrypted && !isCleartextPermitted()) throw CleartextForbidden(gateway.host)
        connected().use { tcp ->
            tcp.tcpNoDelay = true
            tcp.soTimeout = CONNECT_MS_MAX
            val stream = if (gateway.isEncrypted) encrypted(tcp) else tcp
            stream.soTimeout = CONNECT_MS_MAX
            socket = stream
            val input = DataInputStream(BufferedInputStream(stream.getInputStream()))
            write(MqttPackets.connect(login.deviceGuid, login.pushToken, login.accessToken, keepAliveSeconds))
            val answer = MqttPackets.read(input)
            if (answer !is ServerPacket.ConnAck) throw MalformedPacket("The first packet is not a CONNACK.")
            if (answer.reasonCode != 0) return answer.reasonCode
            openedNs = System.nanoTime()
            write(MqttPackets.subscribeToRecalls(SUBSCRIBE_PACKET_ID))
            listener.onConnected()
            return receive(stream, input, (answer.keepAliveSeconds?.takeIf { it > 0 } ?: keepAliveSeconds) * 1_000L)
        }
    }

    /** Android applies this policy of the app only to HTTP. */
    private fun isCleartextPermitted(): Boolean {
        val policy = NetworkSecurityPolicy.getInstance()
        return if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.N) {
            policy.isCleartextTrafficPermitted(gateway.host)
        } else {
            policy.isCleartextTrafficPermitted
        }
    }

    /** Returns how long the gateway has accepted this connection. */
    fun openMs(): Long = if (openedNs == 0L) 0 else TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedNs)

    /** Ends the connection. [run] returns soon after. Must not be called on the main thread of Android. */
    override fun close() {
        isClosed = true
        try {
            if (openedNs != 0L) write(MqttPackets.disconnect())
        } catch (_: IOException) {
            // The connection has already ended.
        }
        plain?.close()
    }

    /** Ends the connection without a DISCONNECT. */
    fun abort() {
        isClosed = true
        plain?.close()
    }

    /** Tries the addresses in turn. For example, a network can have IPv6 addresses that reach nothing. */
    private fun connected(): Socket {
        var failure: IOException? = null
        for (address in addressesOf(gateway.host).take(ADDRESSES_MAX)) {
            val attempt = Socket()
            plain = attempt
            try {
                // [close] closes the socket that it finds, which may be the previous one.
                if (isClosed) throw SocketException("The connection was closed.")
                attempt.connect(InetSocketAddress(address, gateway.port), CONNECT_MS_MAX)
                return attempt
            } catch (error: IOException) {
                if (isClosed) throw error
                failure = failure ?: error
            } finally {
                if (!attempt.isConnected) attempt.close()
            }
        }
        throw failure ?: UnknownHostException(gateway.host)
    }

    private fun receive(stream: Socket, input: DataInputStream, keepAliveMs: Long): Int? {
        while (!isClosed) {
            if (!waitForPacket(stream, input, keepAliveMs)) return null
            stream.soTimeout = PACKET_MS_MAX
            when (val packet = MqttPackets.read(input)) {
                is ServerPacket.Publish -> pass(packet)
                is ServerPacket.Disconnect -> return packet.reasonCode
                else -> Unit
            }
        }
        return null
    }

    /** Waits for the first byte of a packet, and sends a ping in time. Returns false if the gateway closed the connection. */
    private fun waitForPacket(stream: Socket, input: DataInputStream, keepAliveMs: Long): Boolean {
        var isPingOpen = false
        while (true) {
            // The keep-alive is the longest time without a packet of the device. Packets of the gateway do not extend it.
            val restMs = keepAliveMs - (SystemClock.elapsedRealtime() - synchronized(writeLock) { writtenMs })
            if (restMs <= 0 && !isPingOpen) {
                write(MqttPackets.pingRequest())
                isPingOpen = true
            }
            // The timeout of a socket does not advance while the phone sleeps. The clock does, so it is read regularly.
            stream.soTimeout = if (isPingOpen) PING_MS_MAX else min(restMs, checkMs).toInt()
            input.mark(1)
            try {
                if (input.read() < 0) return false
                input.reset()
                return true
            } catch (timeout: SocketTimeoutException) {
                if (isPingOpen) throw timeout
            }
        }
    }

    private fun pass(publish: ServerPacket.Publish) {
        val packetId = publish.packetId
        if (publish.topic == MqttPackets.RECALL_TOPIC) listener.onRecall(publish.payload)
        if (publish.topic == MqttPackets.PUSH_TOPIC && packetId != null) {
            listener.onNotification(login, publish.payload) { reasonCode ->
                try {
                    write(MqttPackets.pubAck(packetId, reasonCode))
                } catch (_: IOException) {
                    // The gateway sends the notification again, and the device recognizes it.
                }
            }
        }
    }

    private fun write(packet: ByteArray) {
        val stream = socket ?: return
        synchronized(writeLock) {
            stream.getOutputStream().write(packet)
            writtenMs = SystemClock.elapsedRealtime()
        }
    }

    /** A TLS socket checks the certificate, but checks that it belongs to the host only on request. */
    private fun encrypted(tcp: Socket): SSLSocket {
        val factory = SSLContext.getDefault().socketFactory
        val tls = factory.createSocket(tcp, gateway.host, gateway.port, true) as SSLSocket
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.N) {
            tls.sslParameters = tls.sslParameters.apply { endpointIdentificationAlgorithm = "HTTPS" }
        }
        tls.startHandshake()
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.N) {
            val isOfHost = HttpsURLConnection.getDefaultHostnameVerifier().verify(gateway.host, tls.session)
            if (!isOfHost) throw SSLPeerUnverifiedException("The certificate is not for ${gateway.host}.")
        }
        return tls
    }

    private companion object {
        /** For each address. */
        const val CONNECT_MS_MAX = 15_000

        /** Limits an attempt to two minutes. Most gateways have one or two addresses of each IP version. */
        const val ADDRESSES_MAX = 8
        const val PING_MS_MAX = 15_000
        const val PACKET_MS_MAX = 30_000

        /** After hours of sleep, a dead connection is noticed within this time and [PING_MS_MAX]. */
        const val CHECK_MS_MAX = 30_000L
        const val SUBSCRIBE_PACKET_ID = 1
    }
}

/** The app does not permit unencrypted connections to the gateway. */
internal class CleartextForbidden(host: String) :
    IOException("The app does not permit unencrypted connections to $host. Use mqtts://, or permit them in the manifest.")

/** The address of a gateway, such as `mqtts://push.example.com:8883`. */
internal data class Gateway(val host: String, val port: Int, val isEncrypted: Boolean) {
    companion object {
        private val URL = Regex("""(mqtts?)://([^/:]+|\[[0-9a-fA-F:]+])(?::(\d{1,5}))?/?""")

        fun parse(url: String): Gateway {
            val match = requireNotNull(URL.matchEntire(url)) { "The gateway must be an mqtts:// or mqtt:// URL: $url" }
            val (protocol, host, port) = match.destructured
            val isEncrypted = protocol == "mqtts"
            return Gateway(host.trim('[', ']'), port.ifEmpty { if (isEncrypted) "8883" else "1883" }.toInt(), isEncrypted)
        }
    }
}
