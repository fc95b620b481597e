package dev.carillon

import com.sun.net.httpserver.HttpServer
import dev.carillon.api.ApiClient
import dev.carillon.show.PictureLoader
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.CopyOnWriteArrayList

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
internal class UserAgentTest {
    @Test
    fun `sends neither the model nor the Android version to the API or to the host of a picture`() {
        val userAgents = CopyOnWriteArrayList<String?>()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { call ->
            userAgents.add(call.requestHeaders.getFirst("User-Agent"))
            call.sendResponseHeaders(200, 0)
            call.responseBody.use { it.write("""{"code":200}""".toByteArray()) }
        }
        server.start()
        try {
            val url = "http://127.0.0.1:${server.address.port}"
            ApiClient(url, "shop").call("/device/state", JSONObject(), "access")
            PictureLoader.load("$url/picture.png")
        } finally {
            server.stop(0)
        }
        assertEquals(listOf("carillon-android/0.1.0", "carillon-android/0.1.0"), userAgents.toList())
    }
}
