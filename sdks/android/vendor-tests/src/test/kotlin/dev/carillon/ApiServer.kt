package dev.carillon

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import org.json.JSONObject
import java.io.Closeable
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors

/** Stands for the API: it records each call, and returns success with the data that a test has set for the path. */
class ApiServer : Closeable {
    class Call(val path: String, val body: JSONObject)

    private val calls = CopyOnWriteArrayList<Call>()
    private val data = ConcurrentHashMap<String, JSONObject>()
    private val executor = Executors.newSingleThreadExecutor()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)

    /** Whether each call fails, as during an outage. */
    @Volatile
    var isDown = false

    val url: String get() = "http://127.0.0.1:${server.address.port}"

    init {
        server.executor = executor
        server.createContext("/", ::answer)
        server.start()
    }

    fun setData(path: String, value: JSONObject) {
        data[path] = value
    }

    fun callsOf(path: String): List<Call> = calls.filter { it.path == path }

    override fun close() {
        server.stop(0)
        executor.shutdownNow()
    }

    private fun answer(exchange: HttpExchange) {
        val path = exchange.requestURI.path
        val text = exchange.requestBody.readBytes().decodeToString()
        calls.add(Call(path, if (text.isEmpty()) JSONObject() else JSONObject(text)))
        if (isDown) {
            exchange.sendResponseHeaders(503, -1)
            exchange.close()
            return
        }
        val envelope = JSONObject().put("code", 200).put("message", "success").put("data", data[path] ?: JSONObject())
        val bytes = envelope.toString().toByteArray()
        exchange.sendResponseHeaders(200, bytes.size.toLong())
        exchange.responseBody.use { it.write(bytes) }
    }
}
