package dev.carillon.mqtt

import java.io.IOException
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock

/**
 * Keeps a device connected while it is wanted. All functions return immediately, so that the main thread can call them.
 * [output] runs everything that writes to a socket.
 */
internal class DeviceChannel(
    private val gateway: Gateway,
    private val listener: MqttListener,
    private val output: Executor,
    private val keepAliveSeconds: () -> Int,
    private val onLoginEnded: (MqttLogin) -> Unit,
    private val log: (String) -> Unit,
) {
    private val lock = ReentrantLock()
    private val changed = lock.newCondition()

    /** One thread, which runs the connections of one login, one after the other. */
    private class Run(val login: MqttLogin) {
        var connection: MqttConnection? = null

        /** [wake] was called since the last attempt began. A network can appear while an attempt is still failing. */
        var isWaking = false
        var isReconnecting = false
    }

    /** Null while no connection is wanted. */
    private var run: Run? = null

    /** Connects, and reconnects when the connection is lost. */
    fun open(login: MqttLogin) =
        lock.withLock {
            if (run?.login == login) return@withLock wake()
            close()
            val own = Run(login)
            run = own
            thread(name = "carillon-mqtt", isDaemon = true) { runConnections(own) }
            Unit
        }

    /** Ends the connection until [open] is called. */
    fun close() =
        lock.withLock {
            val connection = run?.connection
            run = null
            changed.signalAll()
            connection?.let { output.execute(it::close) }
            Unit
        }

    /** Ends the connection without a DISCONNECT, like the end of the process. */
    fun kill() =
        lock.withLock {
            run?.connection?.abort()
            run = null
            changed.signalAll()
        }

    /** Ends the delay before the next attempt, for example because a network is available. */
    fun wake() =
        lock.withLock {
            run?.isWaking = true
            changed.signalAll()
        }

    /** Replaces the connection, because the phone uses another network. */
    fun reconnect() =
        lock.withLock {
            val current = run ?: return@withLock
            current.connection?.let {
                current.isReconnecting = true
                output.execute(it::close)
            }
            wake()
        }

    private fun runConnections(own: Run) {
        var failures = 0
        while (true) {
            val connection = MqttConnection(gateway, own.login, keepAliveSeconds(), PassingListener(own))
            lock.withLock {
                if (run !== own) return
                own.connection = connection
                own.isWaking = false
            }
            val reasonCode = resultOf(connection)
            val isReconnecting =
                lock.withLock {
                    if (run !== own) return
                    own.connection = null
                    own.isReconnecting.also { own.isReconnecting = false }
                }
            if (isReconnecting) continue
            val step = Reconnects.nextStep(reasonCode)
            log("The connection ended with reason code $reasonCode: $step")
            if (step == NextStep.LOGIN || step == NextStep.WAIT) {
                lock.withLock { if (run === own) run = null }
                if (step == NextStep.LOGIN) onLoginEnded(own.login)
                return
            }
            // A gateway that accepts a connection and then ends it must not be asked again and again.
            failures = if (connection.openMs() >= STABLE_MS) 1 else failures + 1
            if (!waitBeforeRetry(own, Reconnects.delayMs(step, failures))) return
        }
    }

    private fun resultOf(connection: MqttConnection): Int? =
        try {
            connection.run()
        } catch (error: CleartextForbidden) {
            log("${error.message}")
            null
        } catch (error: IOException) {
            log("The connection ended: ${error.javaClass.simpleName}")
            null
        } catch (error: Exception) {
            // Some phones throw undocumented exceptions from sockets, and TLS throws some that are no IOException.
            log("The connection failed: ${error.javaClass.simpleName}")
            null
        }

    /** Returns false if the connection is no longer wanted. */
    private fun waitBeforeRetry(own: Run, delayMs: Long): Boolean =
        lock.withLock {
            var restNs = TimeUnit.MILLISECONDS.toNanos(delayMs)
            while (restNs > 0 && !own.isWaking && run === own) restNs = changed.awaitNanos(restNs)
            run === own
        }

    /** Drops packets that arrive after [close], because they can be for the previous user. */
    private inner class PassingListener(private val own: Run) : MqttListener {
        override fun onConnected() {
            // When this connection is lost later, the device must wait its random delay like all others.
            lock.withLock { own.isWaking = false }
            if (isWanted()) listener.onConnected()
        }

        override fun onNotification(login: MqttLogin, payload: ByteArray, acknowledge: (reasonCode: Int) -> Unit) {
            if (isWanted()) listener.onNotification(login, payload) { code -> output.execute { acknowledge(code) } }
        }

        override fun onRecall(payload: ByteArray) {
            if (isWanted()) listener.onRecall(payload)
        }

        private fun isWanted() = lock.withLock { run === own }
    }

    private companion object {
        const val STABLE_MS = 60_000L
    }
}
