package dev.carillon

import com.sun.net.httpserver.HttpServer
import dev.carillon.state.Credentials
import org.json.JSONObject
import java.io.Closeable
import java.io.DataInputStream
import java.io.EOFException
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.concurrent.thread

/** An HTTP server that records the calls, and returns the given response for those of `/device/receipt`. */
internal class StubApi : Closeable {
    class Call(val path: String, val accessToken: String?, val body: JSONObject, val query: String? = null)

    val calls = CopyOnWriteArrayList<Call>()

    /** Called before each response. */
    @Volatile
    var onCall: (Call) -> Unit = {}

    /** The data of the response to `/token/login`. */
    @Volatile
    var loginData = "{}"

    /** The logins that the API knows. Without them, it accepts each access token. */
    @Volatile
    var logins: StubLogins? = null

    /** Paths that fail, as during an outage. */
    val unavailable: MutableSet<String> = ConcurrentHashMap.newKeySet()

    /** The bodies of all calls. */
    val receipts = CopyOnWriteArrayList<JSONObject>()

    /** The bodies of the calls that were accepted. */
    val accepted = CopyOnWriteArrayList<JSONObject>()

    @Volatile
    private var response = 200 to ACCEPTED

    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
    val url = "http://127.0.0.1:${server.address.port}"

    init {
        server.createContext("/") { call ->
            val body = call.requestBody.readBytes().decodeToString()
            val path = call.requestURI.path
            val recorded = Call(path, call.requestHeaders.getFirst("access-token"), JSONObject(body.ifEmpty { "{}" }), call.requestURI.query)
            calls.add(recorded)
            onCall(recorded)
            val isReceipt = path == "/device/receipt"
            val (status, text) =
                when {
                    path in unavailable -> 200 to """{"code":50003,"data":{},"message":"Unavailable"}"""
                    logins?.let { path == "/token/login" || path == "/token/logout" || !it.accepts(recorded.accessToken) } == true ->
                        200 to logins!!.respond(recorded)
                    isReceipt -> response
                    path == "/token/login" -> 200 to """{"code":200,"data":$loginData}"""
                    else -> 200 to ACCEPTED
                }
            if (isReceipt) receipts.add(JSONObject(body))
            if (isReceipt && "\"code\":200" in text) accepted.add(JSONObject(body))
            val bytes = text.toByteArray()
            call.sendResponseHeaders(status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
            call.responseBody.use { it.write(bytes) }
        }
        server.start()
    }

    fun respond(status: Int, body: String) {
        response = status to body
    }

    fun respond(code: Int) = respond(200, """{"code":$code,"data":{},"message":"Code $code"}""")

    fun accept() = respond(200, ACCEPTED)

    override fun close() = server.stop(0)

    private companion object {
        const val ACCEPTED = """{"code":200,"data":{"received":1},"message":null}"""
    }
}

/**
 * The logins of one user on this device, with the rules of Carillon: a login while another one exists has the same push
 * token, and a logout ends all logins with this push token. Access tokens of other users are always accepted.
 */
internal class StubLogins {
    private val current = mutableSetOf<String>()
    private val ended = mutableSetOf<String>()
    private var generation = 1
    private var count = 0

    @Synchronized
    fun logIn(): Credentials = Credentials("access-${++count}", "push-$generation").also { current.add(it.accessToken) }

    @Synchronized
    fun accepts(accessToken: String?): Boolean = accessToken !in ended

    @Synchronized
    fun respond(call: StubApi.Call): String {
        if (call.path == "/token/login") {
            val (accessToken, pushToken) = logIn()
            return """{"code":200,"data":{"token":"$accessToken","push_token":"$pushToken"}}"""
        }
        if (!accepts(call.accessToken)) return """{"code":10008,"data":{},"message":"The access token is invalid"}"""
        if (call.accessToken in current) {
            ended.addAll(current)
            current.clear()
            generation++
        }
        return """{"code":200,"data":{}}"""
    }
}

/** A gateway that accepts every device, and records the reason codes of the acknowledgements. */
internal class StubGateway : Closeable {
    private val server = ServerSocket(0, 10, InetAddress.getLoopbackAddress())
    val url = "mqtt://127.0.0.1:${server.localPort}"

    /** The reason codes of all PUBACKs, by packet ID. */
    val acknowledged = CopyOnWriteArrayList<Pair<Int, Int>>()
    private val connections = CopyOnWriteArrayList<Socket>()

    /** The number of devices that have subscribed to recalls, which is the last packet of a connect. */
    @Volatile
    var readyCount = 0
        private set

    init {
        thread(isDaemon = true, name = "stub-gateway") {
            try {
                while (true) {
                    val socket = server.accept()
                    connections.add(socket)
                    thread(isDaemon = true, name = "stub-connection") { serve(socket) }
                }
            } catch (_: IOException) {
                // The test has closed the server.
            }
        }
    }

    fun publish(packetId: Int, payload: String) =
        send(0x32, byteArrayOf(0, 4) + "push".toByteArray() + byteArrayOf(0, packetId.toByte(), 0) + payload.toByteArray())

    fun recall(payload: String) =
        send(0x30, byteArrayOf(0, 6) + "recall".toByteArray() + byteArrayOf(0) + payload.toByteArray())

    private fun send(header: Int, body: ByteArray) {
        check(body.size < 128) { "The length needs more than one byte." }
        connections.last().getOutputStream().write(byteArrayOf(header.toByte(), body.size.toByte()) + body)
    }

    private fun serve(socket: Socket) {
        val input = DataInputStream(socket.getInputStream())
        try {
            while (true) {
                val type = input.readUnsignedByte() shr 4
                val body = ByteArray(readLength(input)).also(input::readFully)
                when (type) {
                    CONNECT -> socket.getOutputStream().write(byteArrayOf(0x20, 3, 0, 0, 0))
                    SUBSCRIBE -> {
                        socket.getOutputStream().write(byteArrayOf(0x90.toByte(), 4, body[0], body[1], 0, 0))
                        synchronized(this) { readyCount++ }
                    }
                    PUBACK -> acknowledged.add(body[1].toInt() to (body.getOrElse(2) { 0 }.toInt() and 0xff))
                    PINGREQ -> socket.getOutputStream().write(byteArrayOf(0xd0.toByte(), 0))
                }
            }
        } catch (_: EOFException) {
            socket.close()
        } catch (_: IOException) {
            socket.close()
        }
    }

    private fun readLength(input: DataInputStream): Int {
        var length = 0
        for (shift in 0..21 step 7) {
            val byte = input.readUnsignedByte()
            length = length or ((byte and 0x7f) shl shift)
            if (byte < 0x80) break
        }
        return length
    }

    override fun close() {
        server.close()
        connections.forEach(Socket::close)
    }

    private companion object {
        const val CONNECT = 1
        const val PUBACK = 4
        const val SUBSCRIBE = 8
        const val PINGREQ = 12
    }
}
