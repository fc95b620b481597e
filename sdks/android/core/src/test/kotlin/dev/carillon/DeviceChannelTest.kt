package dev.carillon

import dev.carillon.mqtt.DeviceChannel
import dev.carillon.mqtt.Gateway
import dev.carillon.mqtt.MqttConnection
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
import org.robolectric.shadows.ShadowSystemClock
import java.io.DataInputStream
import java.io.File
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketException
import java.net.SocketTimeoutException
import java.security.KeyManagementException
import java.security.KeyStore
import java.security.SecureRandom
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import javax.net.ssl.KeyManager
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLContextSpi
import javax.net.ssl.SSLSocketFactory
import javax.net.ssl.TrustManager
import javax.net.ssl.TrustManagerFactory
import kotlin.concurrent.thread

/** Connections to a gateway that a test controls byte by byte. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class DeviceChannelTest : MqttListener {
    private val tasks = LinkedBlockingQueue<Runnable>()
    private val acknowledgements = LinkedBlockingQueue<(Int) -> Unit>()
    private val connected = LinkedBlockingQueue<String>()
    private val logged = CopyOnWriteArrayList<String>()
    private val endedLogins = LinkedBlockingQueue<MqttLogin>()
    private var channel: DeviceChannel? = null
    private var server: ServerSocket? = null

    /** The connections that [serve] has accepted. */
    private val accepted = LinkedBlockingQueue<GatewaySide>()

    override fun onConnected() = connected.put("connected")

    override fun onNotification(login: MqttLogin, payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit) =
        acknowledgements.put(acknowledge)

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
        // If the socket is closed before the notification is read, it is reset, and the DISCONNECT is lost.
        val end = runCatching { gateway.input.read() }.getOrDefault(-1)
        assertTrue("the connection ends", end == 0xe0 || end == -1)
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
        // A connection in between may have been established, but it has ended.
        val openCount = generateSequence { accepted.poll(1, TimeUnit.SECONDS) }.count { it.isOpen() }
        assertEquals(1, openCount)
    }

    @Test
    fun `reports an ended login once and does not connect again`() {
        val (_, gateway) = connect()
        gateway.send(byteArrayOf(0xe0.toByte(), 2, 0x87.toByte(), 0))
        assertEquals(LOGIN, endedLogins.poll(10, TimeUnit.SECONDS))
        assertEquals(null, connected.poll(300, TimeUnit.MILLISECONDS))
    }

    @Test
    fun `connects immediately if a network appeared while an attempt was failing`() {
        val attempts = LinkedBlockingQueue<Socket>()
        val gateway = ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))
        server = gateway
        thread(isDaemon = true) { runCatching { while (true) attempts.put(gateway.accept()) } }
        val channel = open(Gateway("127.0.0.1", gateway.localPort, false))
        // After eight failures, the delay has an upper bound of two minutes.
        repeat(8) {
            requireNotNull(attempts.poll(10, TimeUnit.SECONDS)).close()
            while (attempts.isEmpty()) {
                channel.wake()
                Thread.sleep(5)
            }
        }
        val last = requireNotNull(attempts.poll(10, TimeUnit.SECONDS))
        channel.wake()
        last.close()
        requireNotNull(attempts.poll(1, TimeUnit.SECONDS)) { "The device is still waiting." }
    }

    @Test
    fun `sends a ping soon after the phone has slept longer than the keep-alive`() {
        serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        val gateway = Gateway("127.0.0.1", requireNotNull(server).localPort, false)
        val connection = MqttConnection(gateway, LOGIN, KEEP_ALIVE_SECONDS, this, checkMs = 50)
        thread(isDaemon = true) { runCatching(connection::run) }
        val phone = requireNotNull(accepted.poll(10, TimeUnit.SECONDS))
        phone.socket.soTimeout = 300
        assertNull("no ping is due", runCatching { phone.input.read() }.getOrNull())
        ShadowSystemClock.advanceBy(Duration.ofHours(1))
        phone.socket.soTimeout = 5_000
        assertEquals("a PINGREQ", listOf(0xc0, 0), List(2) { phone.input.read() })
        connection.close()
    }

    @Test
    fun `connects to the next address if the first one does not accept a connection`() {
        serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        val gateway = Gateway("push.example", requireNotNull(server).localPort, false)
        val connection = connectionTo(gateway) { listOf("127.0.0.2", "127.0.0.1") }
        thread(isDaemon = true) { runCatching(connection::run) }
        requireNotNull(accepted.poll(10, TimeUnit.SECONDS)) { "No connection." }
        connection.close()
    }

    @Test
    fun `tries no further address after it is closed`() {
        serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        val gateway = Gateway("push.example", requireNotNull(server).localPort, false)
        lateinit var connection: MqttConnection
        connection = connectionTo(gateway) { listOf("127.0.0.2", "127.0.0.1").also { connection.close() } }
        val result = resultOf(connection)
        assertTrue("$result", result?.exceptionOrNull() is SocketException)
        assertTrue(accepted.isEmpty())
    }

    @Test
    fun `tries a limited number of addresses`() {
        serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.9")))
        val gateway = Gateway("push.example", requireNotNull(server).localPort, false)
        val result = resultOf(connectionTo(gateway) { (1..9).map { "127.0.0.$it" } })
        assertTrue("$result", result?.exceptionOrNull() is IOException)
        assertTrue(accepted.isEmpty())
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

    /** For example, a phone whose certificates cannot be read. Kotlin does not require to catch this exception. */
    @Test
    fun `reconnects later if the phone has no TLS`() {
        class BrokenTls : SSLContextSpi() {
            override fun engineGetSocketFactory(): SSLSocketFactory = throw KeyManagementException("no certificates")

            override fun engineInit(keys: Array<KeyManager>?, trust: Array<TrustManager>?, random: SecureRandom?) = Unit

            override fun engineGetServerSocketFactory() = throw UnsupportedOperationException()

            override fun engineCreateSSLEngine() = throw UnsupportedOperationException()

            override fun engineCreateSSLEngine(host: String?, port: Int) = throw UnsupportedOperationException()

            override fun engineGetServerSessionContext() = null

            override fun engineGetClientSessionContext() = null
        }
        val normal = SSLContext.getDefault()
        SSLContext.setDefault(object : SSLContext(BrokenTls(), null, "TLS") {})
        try {
            val attempts = ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")).also { server = it }
            attempts.soTimeout = 10_000
            open(Gateway("127.0.0.1", attempts.localPort, true))
            repeat(2) { attempts.accept().close() }
            assertTrue("$logged", "The connection failed: KeyManagementException" in logged)
        } finally {
            SSLContext.setDefault(normal)
        }
    }

    /** A connection to a gateway whose name has these addresses. */
    private fun connectionTo(gateway: Gateway, addresses: () -> List<String>) =
        MqttConnection(
            gateway,
            LOGIN,
            KEEP_ALIVE_SECONDS,
            this,
            addressesOf = { addresses().map(InetAddress::getByName).toTypedArray() },
        )

    /** Returns null if the connection is still open after two seconds. */
    private fun resultOf(connection: MqttConnection): Result<Int?>? {
        val results = LinkedBlockingQueue<Result<Int?>>()
        thread(isDaemon = true) { results.put(runCatching(connection::run)) }
        return results.poll(2, TimeUnit.SECONDS).also { connection.close() }
    }

    private class GatewaySide(val socket: Socket) {
        val input = DataInputStream(socket.getInputStream())

        fun send(packet: ByteArray) = socket.getOutputStream().write(packet)

        fun isOpen(): Boolean {
            socket.soTimeout = 2_000
            return runCatching { input.read() }.exceptionOrNull() is SocketTimeoutException
        }

        /** Reads one short packet. */
        fun skipPacket() {
            input.readByte()
            input.skipBytes(input.readUnsignedByte())
        }
    }

    private fun connect(): Pair<DeviceChannel, GatewaySide> {
        serve(ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        val opened = open(Gateway("127.0.0.1", requireNotNull(server).localPort, false))
        requireNotNull(connected.poll(10, TimeUnit.SECONDS)) { "$logged" }
        val gateway = requireNotNull(accepted.poll(10, TimeUnit.SECONDS))
        return opened to gateway
    }

    /** Accepts connections: answers a CONNECT with a CONNACK, and reads the SUBSCRIBE. */
    private fun serve(socket: ServerSocket) {
        server = socket
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
    }

    private fun open(gateway: Gateway) =
        DeviceChannel(gateway, this, tasks::put, { KEEP_ALIVE_SECONDS }, endedLogins::put) { logged += it }.also {
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
        const val KEEP_ALIVE_SECONDS = 60
    }
}
