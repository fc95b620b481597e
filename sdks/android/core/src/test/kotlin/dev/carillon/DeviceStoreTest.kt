package dev.carillon

import dev.carillon.state.Binding
import dev.carillon.state.Credentials
import dev.carillon.state.DeviceStore
import dev.carillon.state.ReportKind
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.util.concurrent.Executor

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [35], manifest = Config.NONE)
class DeviceStoreTest {
    @get:Rule
    val folder = TemporaryFolder()
    private val waiting = ArrayDeque<Runnable>()
    private val later = Executor { waiting.addLast(it) }
    private val file get() = folder.root.resolve(DeviceStore.FILE)
    private val ada = Credentials("access-a", "push-a")
    private val bo = Credentials("access-b", "push-b")

    private fun open(executor: Executor = Executor(Runnable::run)) = DeviceStore({ folder.root }, executor)

    private fun runWaiting() {
        while (waiting.isNotEmpty()) waiting.removeFirst().run()
    }

    @Test
    fun `keeps everything for the next process`() {
        val store = open()
        val guid = store.deviceGuid
        store.use(ada)
        store.addSeen("7")
        store.addReport(ReportKind.CLICK, "7.1.2")
        store.saveToken(7, "token")
        store.addBinding("push-a", 7, Binding(1, "token", 1_000))
        store.addTap("7.1.2", "{}")
        store.changeBadge { it + 3 }
        val next = open()
        assertEquals(guid, next.deviceGuid)
        assertEquals(ada, next.credentials)
        assertFalse(next.addSeen("7"))
        assertEquals(listOf("7.1.2"), next.reports(ReportKind.CLICK, "push-a", 10))
        assertTrue(next.isBound(7, 1, "token", 2_000))
        assertEquals(listOf("{}"), next.takeTaps())
        assertEquals(emptyList<String>(), open().takeTaps())
        assertEquals(3, next.badge)
    }

    /** The response can be lost, and a message can start the next process before the call is repeated. */
    @Test
    fun `accepts messages of vendors for the next user as soon as the API may know a token, also in the next process`() {
        val store = open(later)
        store.use(ada)
        assertEquals("push-a", store.vendorRecipient)
        store.logout()
        store.use(bo)
        store.offerToken("push-a")
        assertNull(store.vendorRecipient)
        store.offerToken("push-b")
        assertEquals("push-b", open().vendorRecipient)
        store.use(ada)
        assertNull(store.vendorRecipient)
    }

    @Test
    fun `writes on its own thread, and writes many changes once`() {
        val store = open(later)
        store.use(ada)
        repeat(100) { store.addSeen("$it") }
        assertFalse("nothing is written on the thread of the caller", file.exists())
        assertEquals(1, waiting.size)
        var isStored = false
        store.whenStored { isStored = file.readText().contains("\"99\"") }
        runWaiting()
        assertTrue(isStored)
    }

    @Test
    fun `stays small after thousands of notifications`() {
        val store = open(later)
        store.use(ada)
        for (id in 1_000_000_000_000_000_000..1_000_000_000_000_004_999) {
            store.addSeen("$id")
            store.addReport(ReportKind.RECEIPT, "$id.4095.511")
            store.addReport(ReportKind.CLICK, "$id.4095.511")
            store.addTap("$id.4095.511", "{\"message_id\":\"$id\"}")
        }
        runWaiting()
        assertTrue("${file.length()}", file.length() < 100_000)
        assertFalse("the newest are kept", store.addSeen("1000000000000004999"))
        assertEquals("1000000000000004999.4095.511", store.reports(ReportKind.CLICK, "push-a", 5_000).last())
    }

    @Test
    fun `keeps nothing of the previous user except the IDs that were seen`() {
        val store = open()
        store.use(ada)
        store.addSeen("7")
        store.addReport(ReportKind.RECEIPT, "7.1.2")
        store.addTap("7.1.2", "{}")
        store.addMessage("{}")
        store.changeBadge { 3 }
        store.saveToken(7, "token")
        store.addBinding("push-a", 7, Binding(1, "token", 1_000))
        store.saveSentState("push-a", "{}")
        assertTrue(store.use(bo))
        assertEquals(emptyList<String>(), store.reports(ReportKind.RECEIPT, "push-b", 10) + store.takeTaps() + store.takeMessages())
        assertEquals(0, store.badge)
        assertEquals("", store.sentState)
        assertFalse("the token is registered for the next user", store.isBound(7, 1, "token", 1_000))
        assertEquals(mapOf(7 to "token"), store.tokens)
        assertEquals(listOf("access-a"), store.logouts)
        assertFalse(store.addSeen("7"))
        assertFalse("access-a" in file.readText().replace("\"logouts\":{\"access-a\":\"push-a\"}", ""))
    }

    @Test
    fun `keeps reports of an expired login for the next login of the same user`() {
        val store = open()
        store.use(ada)
        store.addReport(ReportKind.RECEIPT, "7.1.2")
        assertTrue(store.endLogin(ada))
        assertFalse("the end is noticed once", store.endLogin(ada))
        assertNull(store.credentials)
        assertFalse(store.use(Credentials("access-new", "push-a")))
        assertEquals(listOf("7.1.2"), store.reports(ReportKind.RECEIPT, "push-a", 10))
        assertEquals(emptyList<String>(), store.logouts)
    }

    @Test
    fun `drops the logouts that would end the next login`() {
        val store = open()
        store.use(ada)
        store.use(bo)
        store.logout()
        assertEquals(listOf("access-a", "access-b"), store.logouts)
        open().use(Credentials("access-new", "push-a"))
        assertEquals(listOf("access-b"), open().logouts)
    }

    @Test
    fun `reads the logouts of an earlier build, which stored no push token`() {
        val store = open()
        store.use(ada)
        store.logout()
        val old = JSONObject(file.readText()).put("logouts", JSONArray(listOf("access-x", "access-y")))
        file.writeText(old.toString())
        assertEquals(listOf("access-x", "access-y"), open().logouts)
        open().use(bo)
        assertEquals(listOf("access-x", "access-y"), open().logouts)
    }

    @Test
    fun `returns the end of a login once, also to the next process, but not after a login or logout`() {
        val store = open()
        assertFalse(store.takeLogoutUnseen())
        store.use(ada)
        store.endLogin(ada)
        assertTrue(open().takeLogoutUnseen())
        assertFalse("it is returned once", open().takeLogoutUnseen())
        for (change in listOf<(DeviceStore) -> Unit>({ it.use(ada) }, { it.logout() })) {
            val next = open()
            next.use(ada)
            next.endLogin(ada)
            change(next)
            assertFalse(open().takeLogoutUnseen())
        }
    }

    @Test
    fun `reads a file without the end of a login`() {
        val guid = open().run { use(ada); deviceGuid }
        file.writeText(JSONObject(file.readText()).apply { remove("logout_unseen") }.toString())
        val store = open()
        assertEquals(guid, store.deviceGuid)
        assertFalse(store.takeLogoutUnseen())
    }

    @Test
    fun `has no reports to send without a login`() {
        val store = open()
        store.use(ada)
        store.addReport(ReportKind.RECEIPT, "7.1.2")
        assertTrue(store.hasReports)
        store.endLogin(ada)
        assertFalse(store.hasReports)
        store.use(Credentials("access-new", "push-a"))
        assertTrue("they are sent with the next login", store.hasReports)
    }

    @Test
    fun `removes only the given token of a vendor`() {
        val store = open()
        store.saveToken(7, "new")
        store.removeToken(7, "old")
        assertEquals(mapOf(7 to "new"), store.tokens)
        store.removeToken(7, "new")
        assertEquals(emptyMap<Int, String>(), store.tokens)
    }

    @Test
    fun `registers a token again after a week, or if the clock was wrong`() {
        val weekMs = DeviceStore.BINDING_MS_MAX
        val store = open()
        store.use(ada)
        store.addBinding("push-a", 7, Binding(1, "token", weekMs * 10))
        assertTrue(store.isBound(7, 1, "token", weekMs * 11 - 1))
        assertFalse(store.isBound(7, 1, "token", weekMs * 11))
        assertFalse(store.isBound(7, 1, "token", weekMs))
        assertFalse(store.isBound(7, 1, "another", weekMs * 10))
        store.addBinding("push-of-another-user", 7, Binding(1, "another", weekMs * 10))
        assertFalse(store.isBound(7, 1, "another", weekMs * 10))
    }

    @Test
    fun `does not write over a file that it cannot read, and reads it later`() {
        val guid = open().run { use(ada); deviceGuid }
        val text = file.readText()
        // A directory cannot be read. Tests can run as root, who can read every file.
        file.delete()
        file.mkdir()
        val store = open()
        assertNull(store.credentials)
        assertFalse(store.isReadable)
        store.addSeen("7")
        assertTrue(file.isDirectory)
        file.delete()
        file.writeText(text)
        assertEquals(ada, store.credentials)
        assertEquals(guid, store.deviceGuid)
        assertTrue(store.isReadable)
    }

    @Test
    fun `keeps a login that follows while the file cannot be read`() {
        open().use(ada)
        file.delete()
        file.mkdir()
        val store = open()
        store.use(bo)
        file.delete()
        store.addSeen("7")
        assertEquals(bo, store.credentials)
        assertEquals(bo, open().credentials)
    }

    @Test
    fun `becomes a new device if the file cannot be read`() {
        val guid = open().deviceGuid
        for (text in listOf("", "{", "{}", "[]", "{\"device_guid\":7}")) {
            file.writeText(text)
            assertNotEquals(text, guid, open().deviceGuid)
        }
    }
}
