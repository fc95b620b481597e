package dev.carillon

import java.io.Closeable
import java.util.concurrent.ExecutorService
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** The background threads of the SDK. Each of them ends after ten seconds without work. */
internal class Threads(private val log: (String) -> Unit) : Closeable {
    /** Changes of the state that read or write the file. */
    val state = single("carillon-state", TASKS_MAX)

    /** Calls of the API. A call can take more than a minute, so nothing urgent waits for this thread. */
    val network = single("carillon-network", TASKS_MAX)

    /** Packets that another thread writes to the gateway. Android forbids the main thread to use the network. */
    val output = single("carillon-output", TASKS_MAX)

    /** Pictures of notifications. A notification stays without its picture if too many are waiting. */
    val pictures = single("carillon-pictures", PICTURES_MAX)

    private val others = listOf(network, output, pictures)

    /** Lets the waiting tasks end, and those that the tasks of [state] add to the other threads. Later tasks are dropped. */
    override fun close() {
        state.execute { others.forEach(ExecutorService::shutdown) }
        state.shutdown()
    }

    /** Ends all threads without their waiting tasks, like the end of the process. */
    fun kill() = (others + state).forEach { it.shutdownNow() }

    private fun single(name: String, tasksMax: Int): ExecutorService =
        object : ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            LinkedBlockingQueue(tasksMax),
            { Thread(it, name).apply { isDaemon = true } },
            ThreadPoolExecutor.DiscardPolicy(),
        ) {
            override fun execute(command: Runnable) = super.execute { guard(command) }
        }.apply { allowCoreThreadTimeOut(true) }

    /** An exception that no task expects must not end the app. Its message can contain a token. */
    private fun guard(task: Runnable) =
        try {
            task.run()
        } catch (error: Exception) {
            log("A task failed: ${error.javaClass.simpleName} at ${error.stackTrace.firstOrNull()}")
        }

    private companion object {
        const val IDLE_SECONDS = 10L

        /** The gateway sends at most 20 unacknowledged notifications, and repeated work is combined, so this is never reached. */
        const val TASKS_MAX = 10_000
        const val PICTURES_MAX = 20
    }
}
