package dev.carillon

import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.content.Context
import dev.carillon.report.ReportJob
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import org.robolectric.shadow.api.Shadow

/** Failures of phones and networks, against a running Carillon and its simulators. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class OutageJourneyTest {
    private val phone = TestPhone()

    @Before
    fun needsCarillon() {
        phone.needsCarillon()
        phone.needsControl()
    }

    @After
    fun kill() {
        WallClock.nowMs = System::currentTimeMillis
        phone.restoreNetwork()
        Carillon.killForTest()
    }

    @Test
    fun `displays what arrived without a network, although the clock of the phone is an hour later`() {
        phone.start(emptyList())
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.useAnotherNetwork(1)
        phone.eventually("the first network changes nothing") { phone.connections == 1 }
        phone.control("network/down")
        val taskIds = List(5) { phone.notify(credentials, "Offline $it") }
        phone.eventually("the connection is lost") { phone.logged.any { it.startsWith("The connection ended") } }
        assertEquals(0, phone.displayed().size)
        // The service and the tasks of the main thread get no older.
        WallClock.nowMs = { System.currentTimeMillis() + 3_600_000 }
        phone.control("network/up")
        phone.useAnotherNetwork(2)
        phone.eventually("all are displayed") { phone.displayed().map { it.tag }.toSet() == taskIds.toSet() }
        for (taskId in taskIds) phone.eventuallyCounted(taskId, "nativepush.received")
    }

    @Test
    fun `connects again when the phone changes its network`() {
        phone.start(emptyList())
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.useAnotherNetwork(1)
        phone.useAnotherNetwork(2)
        phone.eventually("the device is connected again") { phone.connections == 2 }
        val taskId = phone.notify(credentials, "On the other network")
        phone.eventuallyCounted(taskId, "nativepush.received")
    }

    @Test
    fun `connects again after the gateway was killed, and displays nothing twice`() {
        phone.start(emptyList())
        val credentials = phone.logIn(phone.createUser("ada"))
        val taskIds = mutableListOf(phone.notify(credentials, "Before"))
        phone.eventually("the first is displayed") { phone.displayed().size == 1 }
        phone.control("gateway/kill")
        taskIds += phone.notify(credentials, "Without a gateway")
        phone.control("gateway/start")
        phone.eventually("the device is connected again", 40) { phone.connections >= 2 }
        taskIds += phone.notify(credentials, "After")
        phone.eventually("all are displayed", 40) { phone.displayed().map { it.tag }.toSet() == taskIds.toSet() }
        for (taskId in taskIds) phone.eventuallyCounted(taskId, "nativepush.received")
    }

    @Test
    fun `works with a wrong clock, except for the time limit of a notification`() {
        val yearMs = 365L * 24 * 3_600_000
        for (shiftMs in listOf(-yearMs, yearMs)) {
            WallClock.nowMs = { System.currentTimeMillis() + shiftMs }
            Carillon.killForTest()
            phone.start()
            val credentials = phone.logIn(phone.createUser("ada"))
            val taskId = phone.notify(credentials, "At another time")
            phone.eventually("the notification is displayed") { phone.displayed().any { it.tag == taskId } }
            phone.eventuallyCounted(taskId, "nativepush.received")
        }
        val binds = phone.requestCount("/device/bind")
        Carillon.killForTest()
        WallClock.nowMs = System::currentTimeMillis
        phone.start()
        phone.eventually("a binding of the future is repeated") { phone.requestCount("/device/bind") == binds + 1 }
    }

    @Test
    fun `is a new device after the storage was cleared`() {
        phone.start(emptyList())
        val ada = phone.createUser("ada")
        val first = phone.logIn(ada)
        val guid = Carillon.deviceGuid
        Carillon.killForTest()
        phone.context.noBackupFilesDir.listFiles().orEmpty().forEach { it.deleteRecursively() }

        phone.start(emptyList())
        assertEquals(false, Carillon.isLoggedIn)
        assertNotEquals(guid, Carillon.deviceGuid)
        val second = phone.logIn(ada)
        assertNotEquals(first.pushToken, second.pushToken)
        val taskId = phone.notify(second, "On the new device")
        phone.eventuallyCounted(taskId, "nativepush.received")
    }

    @Test
    fun `sends a receipt in a job of the next process`() {
        phone.start()
        val credentials = phone.logIn(phone.createUser("ada"))
        val setting = JSONObject().put("distribution_strategy", "ospush_only")
        phone.eventually("the token is registered") { phone.logged.isNotEmpty() && hasBinding() }
        val taskId = phone.notify(credentials, JSONObject().put("title", "Dinner"), setting)
        phone.eventually("FCM has the message") { phone.fcmMessages().size == 1 }
        phone.control("network/down")
        assertTrue(phone.receiveThroughFcm(phone.fcmMessages().single()))
        val jobs = phone.context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as JobScheduler
        phone.eventually("a job is scheduled") { jobs.allPendingJobs.size == 1 }
        Carillon.killForTest()
        assertEquals(0, phone.counters(taskId)["fcm.received"])

        phone.start()
        val job = Robolectric.buildService(ReportJob::class.java).create().get()
        assertTrue(job.onStartJob(Shadow.newInstanceOf(JobParameters::class.java)))
        phone.control("network/up")
        assertTrue(job.onStartJob(Shadow.newInstanceOf(JobParameters::class.java)))
        phone.eventuallyCounted(taskId, "fcm.received")
        phone.eventually("no job is left") { jobs.allPendingJobs.isEmpty() }
    }

    /** Half of the messages arrive over the Carillon channel, the others also through FCM, because no PUBACK gets out. */
    @Test
    fun `displays each of many messages once, although both channels deliver copies`() {
        val count = if (System.getenv("CARILLON_ANDROID") == "full") 1_000 else 60
        phone.start()
        Carillon.setListener(phone)
        val credentials = phone.logIn(phone.createUser("ada"))
        phone.eventually("the token is registered") { hasBinding() }
        val connected = List(count / 2) { number -> phone.notify(credentials, "Connected $number").also { phone.idle() } }
        phone.eventually("the first half is displayed", 120) {
            // On a slow machine, some acknowledgements need more than five seconds.
            phone.fcmMessages().forEach(phone::receiveThroughFcm)
            phone.displayed().size == count / 2
        }
        // A PUBACK that is still on its way must not stop with the uplink.
        for (taskId in connected) {
            phone.eventually("the receipt of $taskId is recorded") {
                taskId in idsAtFcm() || phone.counters(taskId)["nativepush.received"] == 1
            }
        }

        phone.control("network/no-uplink")
        val stalled = List(count / 2) { phone.notify(credentials, "Stalled $it") }
        phone.eventually("FCM has the second half", 300) { idsAtFcm().containsAll(stalled) }
        val copies = phone.fcmMessages()
        phone.control("network/up")
        for (message in copies + copies) assertTrue(phone.receiveThroughFcm(message))
        for (taskId in connected) Carillon.onVendorMessage(mapOf("mid" to taskId, "reference" to ""), "A copy")
        phone.eventually("all are displayed", 120) { phone.displayed().size == count }

        assertEquals((connected + stalled).toSet(), phone.received.map { it.messageId }.toSet())
        assertEquals("each is delivered to the app once", count, phone.received.size)
        val throughFcm = copies.map(::idOf).toSet()
        for (taskId in connected + stalled) {
            val channel = if (taskId in throughFcm) "fcm" else "nativepush"
            phone.eventuallyCounted(taskId, "$channel.received")
            val counters = phone.counters(taskId).filter { (name, value) -> name.endsWith("received") && value > 0 }
            assertTrue("$counters", counters.values.all { it == 1 } && (channel == "fcm" || counters.size == 1))
        }
    }

    private fun idsAtFcm(): Set<String> = phone.fcmMessages().map(::idOf).toSet()

    private fun idOf(message: JSONObject): String = message.getJSONObject("data").getString("mid")

    private fun hasBinding(): Boolean {
        val file = phone.context.noBackupFilesDir.resolve("carillon.json")
        val bindings = runCatching { JSONObject(file.readText()).getJSONObject("bindings") }.getOrNull()
        return bindings != null && bindings.length() == 1
    }
}
