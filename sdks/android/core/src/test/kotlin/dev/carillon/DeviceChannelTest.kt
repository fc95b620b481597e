package dev.carillon

import dev.carillon.mqtt.DeviceChannel
import dev.carillon.mqtt.Gateway
import dev.carillon.mqtt.MqttListener
import dev.carillon.mqtt.MqttLogin
import dev.carillon.mqtt.MqttPackets
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.io.DataInputStream
import java.io.File
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.security.KeyStore
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory
import kotlin.concurrent.thread

/** Connections to a gateway that a test controls byte by byte. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class DeviceChannelTest : MqttListener {
    private val tasks = LinkedBlockingQueue<Runnable>()
    private val acknowledgements = LinkedBlockingQueue<(Int) -> Unit>()
    private val connected = LinkedBlockingQueue<String>()
    private val logged = CopyOnWriteArrayList<String>()
    private val endedLogins = LinkedBlockingQueue<MqttLogin>()
    private var channel: DeviceChannel? = null
    private var server: ServerSocket? = null

    override fun onConnected() = connected.put("connected")

    override fun onNotification(payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit) = acknowledgements.put(acknowledge)

    override fun onRecall(payload: ByteArray) = Unit

    @After
    fun close() {
        channel?.close()
        while (true) tasks.poll()?.run() ?: break
        server?.close()
    }

    @Test
    fun `writes nothing on the thread that acknowledges or closes`() {
        val (channel, gateway) = connect()
        gateway.send(MqttPackets.publish("push", 7, "{}".toByteArray()))
        requireNotNull(acknowledgements.poll(10, TimeUnit.SECONDS))(0)
        gateway.socket.soTimeout = 200
        assertNull("nothing is written yet", runCatching { gateway.input.read() }.getOrNull())
        tasks.take().run()
        gateway.socket.soTimeout = 10_000
        assertEquals(listOf(0x40, 2, 0, 7), List(4) { gateway.input.read() })
        channel.close()
        tasks.take().run()
        assertEquals("a DISCONNECT", listOf(0xe0, 0), List(2) { gateway.input.read() })
    }

    @Test
    fun `drops notifications that arrive after close`() {
        val (channel, gateway) = connect()
        channel.close()
        gateway.send(MqttPackets.publish("push", 7, "{}".toByteArray()))
        tasks.take().run()
        assertEquals(0xe0, gateway.input.read())
        assertTrue(acknowledgements.isEmpty())
    }

    @Test
    fun `uses one connection, also if it is closed and opened again immediately`() {
        val (channel, first) = connect()
        repeat(5) {
            channel.close()
            channel.open(LOGIN)
        }
        while (true) tasks.poll(1, TimeUnit.SECONDS)?.run() ?: break
        assertEquals(0xe0, first.input.read())
        requireNotNull(connected.poll(10, TimeUnit.SECONDS))
        assertEquals("one connection is open", null, connected.poll(300, TimeUnit.MILLISECONDS))
    }

    @Test
    fun `reports an ended login once and does not connect again`() {
        val (_, gateway) = connect()
        gateway.send(byteArrayOf(0xe0.toByte(), 2, 0x87.toByte(), 0))
        assertEquals(LOGIN, endedLogins.poll(10, TimeUnit.SECONDS))
        assertEquals(null, connected.poll(300, TimeUnit.MILLISECONDS))
    }

    @Test
    fun `rejects a TLS certificate that belongs to another host`() {
        val normal = SSLContext.getDefault()
        try {
            for ((host, isAccepted) in listOf("localhost" to true, "other.example" to false)) {
                val tls = tlsContextFor(host)
                SSLContext.setDefault(tls)
                val gateway = tls.serverSocketFactory.createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))
                serve(gateway)
                logged.clear()
                open(Gateway("localhost", gateway.localPort, true))
                if (isAccepted) {
                    requireNotNull(connected.poll(10, TimeUnit.SECONDS)) { "$logged" }
                } else {
                    val endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10)
                    while (logged.none { "SSLHandshakeException" in it }) {
                        check(System.nanoTime() < endNs) { "$logged" }
                        Thread.sleep(10)
                    }
                    assertTrue(connected.isEmpty())
                }
                close()
            }
        } finally {
            SSLContext.setDefault(normal)
        }
    }

    private class GatewaySide(val socket: Socket) {
        val input = DataInputStream(socket.getInputStream())

        fun send(packet: ByteArray) = socket.getOutputStream().write(packet)

        /** Reads one short packet. */
        fun skipPacket() {
            input.readByte()
            input.skipBytes(input.readUnsignedByte())
        }
    }

    private fun connect(): Pair<DeviceChannel, GatewaySide> {
        val accepted = serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        val opened = open(Gateway("127.0.0.1", requireNotNull(server).localPort, false))
        requireNotNull(connected.poll(10, TimeUnit.SECONDS)) { "$logged" }
        val gateway = requireNotNull(accepted.poll(10, TimeUnit.SECONDS))
        return opened to gateway
    }

    /** Accepts connections: answers a CONNECT with a CONNACK, and reads the SUBSCRIBE. */
    private fun serve(socket: ServerSocket): LinkedBlockingQueue<GatewaySide> {
        server = socket
        val accepted = LinkedBlockingQueue<GatewaySide>()
        thread(isDaemon = true) {
            runCatching {
                while (true) {
                    val client = socket.accept()
                    runCatching {
                        val side = GatewaySide(client)
                        side.skipPacket()
                        side.send(byteArrayOf(0x20, 3, 0, 0, 0))
                        side.skipPacket()
                        accepted.put(side)
                    }
                }
            }
        }
        return accepted
    }

    private fun open(gateway: Gateway) =
        DeviceChannel(gateway, this, tasks::put, { 60 }, endedLogins::put) { logged += it }.also {
            channel = it
            it.open(LOGIN)
        }

    /** Returns a context with a new certificate for this host, which it also trusts. */
    private fun tlsContextFor(host: String): SSLContext {
        val file = File.createTempFile("gateway", ".p12").apply { delete() }
        val keytool = File(System.getProperty("java.home"), "bin/keytool").path
        val args = "-genkeypair -alias a -keyalg EC -dname CN=$host -ext san=dns:$host -storetype PKCS12 -storepass secret"
        val command = listOf(keytool) + args.split(' ') + listOf("-keystore", file.path)
        check(ProcessBuilder(command).redirectErrorStream(true).start().apply { inputStream.readBytes() }.waitFor() == 0)
        val keys = KeyStore.getInstance("PKCS12").apply { file.inputStream().use { load(it, "secret".toCharArray()) } }
        file.delete()
        val trusted = KeyStore.getInstance("PKCS12").apply { load(null); setCertificateEntry("a", keys.getCertificate("a")) }
        val keyManagers = KeyManagerFactory.getInstance("SunX509").apply { init(keys, "secret".toCharArray()) }
        val trustManagers = TrustManagerFactory.getInstance("PKIX").apply { init(trusted) }
        return SSLContext.getInstance("TLSv1.2").apply { init(keyManagers.keyManagers, trustManagers.trustManagers, null) }
    }

    private companion object {
        val LOGIN = MqttLogin("device", "push", "access")
    }
}
