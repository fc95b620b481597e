package dev.carillon.mqtt

import java.io.BufferedInputStream
import java.io.Closeable
import java.io.DataInputStream
import java.io.IOException
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
import javax.net.SocketFactory
import javax.net.ssl.SSLParameters
import javax.net.ssl.SSLSocket
import javax.net.ssl.SSLSocketFactory

/** Values with which a device connects. */
internal data class MqttLogin(val deviceGuid: String, val pushToken: String, val accessToken: String)

internal interface MqttListener {
    fun onConnected()

    /** A notification. Exactly one call of [acknowledge] must follow, from any thread. */
    fun onNotification(payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit)

    fun onRecall(payload: ByteArray)
}

/**
 * One connection to a gateway. [run] blocks its thread until the connection ends. While nothing arrives, the thread
 * sleeps in the socket, so that an idle connection costs one small packet per keep-alive and no timer.
 */
internal class MqttConnection(
    private val gateway: Gateway,
    private val login: MqttLogin,
    private val keepAliveSeconds: Int,
    private val listener: MqttListener,
) : Closeable {
    private val socket: Socket = gateway.socketFactory().createSocket()
    private val writeLock = Any()

    @Volatile
    private var isClosed = false

    /** Connects, and passes on notifications. Returns the reason code of the gateway, or null if it sent none. */
    fun run(): Int? {
        socket.use {
            socket.connect(InetSocketAddress(gateway.host, gateway.port), CONNECT_MS_MAX)
            socket.tcpNoDelay = true
            verifyHost()
            socket.soTimeout = CONNECT_MS_MAX
            val input = DataInputStream(BufferedInputStream(socket.getInputStream()))
            write(MqttPackets.connect(login.deviceGuid, login.pushToken, login.accessToken, keepAliveSeconds))
            val answer = MqttPackets.read(input)
            if (answer !is ServerPacket.ConnAck) throw MalformedPacket("The first packet is not a CONNACK.")
            if (answer.reasonCode != 0) return answer.reasonCode
            write(MqttPackets.subscribeToRecalls(SUBSCRIBE_PACKET_ID))
            listener.onConnected()
            return receive(input, (answer.keepAliveSeconds ?: keepAliveSeconds) * 1_000)
        }
    }

    /** Ends the connection. [run] returns soon after. */
    override fun close() {
        isClosed = true
        try {
            write(MqttPackets.disconnect())
        } catch (_: IOException) {
            // The connection has already ended.
        }
        socket.close()
    }

    private fun receive(input: DataInputStream, keepAliveMs: Int): Int? {
        var isPingOpen = false
        while (!isClosed) {
            val packet =
                try {
                    socket.soTimeout = if (isPingOpen) PING_MS_MAX else keepAliveMs
                    input.mark(1)
                    if (input.read() < 0) return null
                    input.reset()
                    socket.soTimeout = PACKET_MS_MAX
                    MqttPackets.read(input)
                } catch (timeout: SocketTimeoutException) {
                    // A timeout inside a packet, or after a ping, means that the connection is dead.
                    if (isPingOpen || socket.soTimeout == PACKET_MS_MAX) throw timeout
                    write(MqttPackets.pingRequest())
                    isPingOpen = true
                    continue
                }
            isPingOpen = false
            when (packet) {
                is ServerPacket.Publish -> pass(packet)
                is ServerPacket.Disconnect -> return packet.reasonCode
                else -> Unit
            }
        }
        return null
    }

    private fun pass(publish: ServerPacket.Publish) {
        val packetId = publish.packetId
        if (publish.topic == MqttPackets.RECALL_TOPIC) listener.onRecall(publish.payload)
        if (publish.topic == MqttPackets.PUSH_TOPIC && packetId != null) {
            listener.onNotification(publish.payload) { reasonCode ->
                try {
                    write(MqttPackets.pubAck(packetId, reasonCode))
                } catch (_: IOException) {
                    // The gateway sends the notification again, and the device recognizes it.
                }
            }
        }
    }

    private fun write(packet: ByteArray) {
        synchronized(writeLock) { socket.getOutputStream().write(packet) }
    }

    /** A TLS socket of Android checks the certificate, but not that it belongs to the host. */
    private fun verifyHost() {
        val tls = socket as? SSLSocket ?: return
        tls.sslParameters = SSLParameters().apply { endpointIdentificationAlgorithm = "HTTPS" }
        tls.startHandshake()
    }

    private companion object {
        const val CONNECT_MS_MAX = 15_000
        const val PING_MS_MAX = 15_000
        const val PACKET_MS_MAX = 30_000
        const val SUBSCRIBE_PACKET_ID = 1
    }
}

/** The address of a gateway, such as `mqtts://push.example.com:8883`. */
internal data class Gateway(val host: String, val port: Int, val isEncrypted: Boolean) {
    fun socketFactory(): SocketFactory = if (isEncrypted) SSLSocketFactory.getDefault() else SocketFactory.getDefault()

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
