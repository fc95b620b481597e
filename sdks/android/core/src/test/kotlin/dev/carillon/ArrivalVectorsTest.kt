package dev.carillon

import android.os.Looper
import dev.carillon.state.Credentials
import dev.carillon.state.DeviceStore
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.io.File

/** Runs the shared test vectors about arrivals and reports with the whole SDK, a stub gateway and a stub API. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class ArrivalVectorsTest {
    private val context = RuntimeEnvironment.getApplication()
    private val api = StubApi()
    private val gateway = StubGateway()
    private val displayed = mutableListOf<String>()
    private var recalls = 0
    private var fails = false
    private var barriers = 0
    private val login = Credentials("ct_1", "p")

    private val listener =
        object : CarillonListener {
            override fun onNotification(notification: CarillonNotification): Boolean {
                check(!fails) { "The app cannot display it." }
                displayed.add(notification.messageId)
                return true
            }

            override fun onRecall(messageId: String) {
                recalls++
            }
        }

    @After
    fun stop() {
        Carillon.stop()
        gateway.close()
        api.close()
    }

    @Test
    fun deduplication() {
        for (vector in vectors("deduplication").objects()) {
            val name = vector.getString("name")
            begin()
            // The API refuses all reports, so that they are kept until the end.
            api.respond(CODE_UNAVAILABLE)
            val acknowledged = vector.getJSONArray("steps").objects().mapNotNull(::run)
            waitForArrivals()
            val (receipts, clicks) = listOf("receipts", "clicks").map { strings(vector.getJSONArray(it)) }
            assertEquals("$name: reports", receipts to clicks, stored("receipts") to stored("clicks"))
            restart(api::accept)
            eventually("$name: reports") { sent("") == receipts && sent("clicked") == clicks }
            assertEquals(name, strings(vector.getJSONArray("displayed")), displayed.filter { it.length < BARRIER.length })
            val expected = vector.getJSONArray("acknowledged")
            assertEquals(name, List(expected.length(), expected::getInt), acknowledged)
        }
    }

    @Test
    fun `receipts after an error`() {
        val receipts = JSONObject(text("receipts"))
        for (vector in receipts.getJSONArray("errors").objects())
            checkOutcome(vector) { api.respond(vector.getInt("code")) }
        for (vector in receipts.getJSONArray("responses").objects())
            checkOutcome(vector) { api.respond(vector.getInt("status"), vector.getString("body")) }
    }

    @Test
    fun `as many receipts are kept as the vectors require`() =
        assertEquals(JSONObject(text("receipts")).getInt("pending_max"), DeviceStore.REPORTS_MAX)

    @Test
    fun `receipts in batches`() {
        for (vector in JSONObject(text("receipts")).getJSONArray("requests").objects()) {
            begin()
            api.respond(CODE_UNAVAILABLE)
            val isClick = vector.getString("list") == "clicks"
            for (index in 1..vector.getInt("pending")) {
                val data = mapOf("mid" to "$index", "reference" to "$index.1.1")
                if (isClick) Carillon.onVendorTap(data) else Carillon.onVendorDisplayed(data)
            }
            waitForArrivals()
            restart(api::accept)
            val sizes = vector.getJSONArray("expected").let { list -> List(list.length(), list::getInt) }
            eventually("$vector") { api.accepted.map { it.getJSONArray("list").length() } == sizes }
            for (call in api.accepted) assertEquals(vector.optString("event"), call.optString("event"))
        }
    }

    /** Reports a receipt to an API that returns an error, and then to one that accepts everything. */
    private fun checkOutcome(vector: JSONObject, respond: () -> Unit) {
        val name = vector.getString("name")
        begin()
        respond()
        Carillon.onVendorDisplayed(mapOf("mid" to "7", "reference" to FIRST))
        eventually("$name: the first call") { api.receipts.isNotEmpty() }
        if (vector.getString("expected") == "signed-out") {
            eventually("$name: the login has ended") { !Carillon.isLoggedIn }
            api.accept()
            Carillon.use(Credentials("ct_2", login.pushToken))
        } else {
            val isDone = vector.getString("expected") != "again"
            waitForArrivals()
            eventually("$name: the result is stored") { (FIRST in storedText()) != isDone }
            restart(api::accept)
        }
        Carillon.onVendorDisplayed(mapOf("mid" to "8", "reference" to SECOND))
        val isFirstAccepted = vector.getString("expected") != "refused"
        val expected = if (isFirstAccepted) listOf(FIRST, SECOND) else listOf(SECOND)
        eventually("$name: expected $expected, sent ${sent("")}") { sent("") == expected }
    }

    /** Runs a step, and returns the reason code of the acknowledgement if there is one. */
    private fun run(step: JSONObject): Int? {
        val data = step.optJSONObject("data")?.let { json -> json.keys().asSequence().associateWith(json::getString) }.orEmpty()
        when (step.getString("from")) {
            "carillon" -> {
                fails = step.optBoolean("fails")
                return publish(step.getString("payload")).also { fails = false }
            }
            "recall" -> {
                gateway.recall(step.getString("payload"))
                eventually("the recall arrives") { recalls > 0 }
            }
            "vendor" -> {
                val texts = step.optJSONObject("texts")
                Carillon.onVendorMessage(data, texts?.optString("title"), texts?.optString("body"))
            }
            "vendor-displayed" -> Carillon.onVendorDisplayed(data)
            "tap" -> Carillon.onVendorTap(data)
            "restart" -> restart()
            else -> error("unknown step $step")
        }
        waitForArrivals()
        return null
    }

    /** Arrivals are handled in order, so they have been handled when a further notification is acknowledged. */
    private fun waitForArrivals() {
        val id = "$BARRIER${barriers + 1}"
        publish("""{"task_id":"$id","message_id":"$id","type":"cmd"}""")
        shadowOf(Looper.getMainLooper()).idle()
    }

    private fun publish(payload: String): Int {
        val packetId = ++barriers % 100 + 1
        val earlier = gateway.acknowledged.size
        gateway.publish(packetId, payload)
        eventually("$payload is acknowledged") { gateway.acknowledged.size > earlier }
        assertEquals(packetId, gateway.acknowledged.last().first)
        return gateway.acknowledged.last().second
    }

    private fun storedText() = context.noBackupFilesDir.listFiles().orEmpty().joinToString("") { it.readText() }

    /** Starts the SDK on a new phone. */
    private fun begin() {
        Carillon.stop()
        // A new process knows no earlier taps.
        Carillon.killForTest()
        eventually("no call is running") { Thread.getAllStackTraces().keys.none { it.name.startsWith("carillon") } }
        context.noBackupFilesDir.listFiles()?.forEach(File::delete)
        displayed.clear()
        recalls = 0
        api.accept()
        api.receipts.clear()
        api.accepted.clear()
        val earlier = gateway.readyCount
        start()
        Carillon.use(login)
        eventually("the device is connected") { gateway.readyCount > earlier }
    }

    /** Ends the SDK, and starts it again after a change of the API. */
    private fun restart(change: () -> Unit = {}) {
        Carillon.stop()
        eventually("no call is running") { Thread.getAllStackTraces().keys.none { it.name.startsWith("carillon") } }
        change()
        val earlier = gateway.readyCount
        start()
        eventually("the device is connected again") { gateway.readyCount > earlier }
    }

    private fun start() {
        Carillon.start(context, CarillonConfig(api.url, gateway.url, "shop", android.R.drawable.ic_dialog_info))
        Carillon.setListener(listener)
    }

    /** All references in the file, which contains everything that has arrived. */
    private fun stored(kind: String): List<String> =
        strings(JSONObject(storedText()).getJSONObject("reports").getJSONArray(kind)).sorted()

    /** All references that the API accepted. */
    private fun sent(event: String): List<String> =
        api.accepted.filter { it.optString("event") == event }.flatMap { strings(it.getJSONArray("list")) }.sorted()

    private fun strings(list: JSONArray): List<String> = List(list.length(), list::getString)

    private fun JSONArray.objects(): List<JSONObject> = List(length(), ::getJSONObject)

    private fun text(name: String) = File("../../test-vectors/$name.json").readText()

    private fun vectors(name: String) = JSONArray(text(name))

    private fun eventually(what: String, isTrue: () -> Boolean) {
        val endNs = System.nanoTime() + 30_000_000_000
        while (true) {
            shadowOf(Looper.getMainLooper()).idle()
            if (isTrue()) return
            check(System.nanoTime() < endNs) { "Not within 30 s: $what. Reports: ${api.receipts}" }
            Thread.sleep(5)
        }
    }

    private companion object {
        const val CODE_UNAVAILABLE = 50003
        const val FIRST = "7.1.1"
        const val SECOND = "8.1.1"

        /** The first digits of IDs that belong to no vector. */
        const val BARRIER = "90000"
    }
}
