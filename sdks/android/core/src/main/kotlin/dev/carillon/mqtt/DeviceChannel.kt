package dev.carillon.mqtt

import java.io.IOException
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock

/** Keeps a device connected while it is wanted. One thread runs all connections, one after the other. */
internal class DeviceChannel(
    private val gateway: Gateway,
    private val listener: MqttListener,
    private val keepAliveSeconds: () -> Int,
    private val onLoginEnded: () -> Unit,
    private val log: (String) -> Unit,
) {
    private val lock = ReentrantLock()
    private val changed = lock.newCondition()

    /** The values of all connections. Null while no connection is wanted. */
    private var login: MqttLogin? = null
    private var connection: MqttConnection? = null
    private var isWaking = false
    private var worker: Thread? = null

    /** Connects, and reconnects when the connection is lost. */
    fun open(newLogin: MqttLogin) =
        lock.withLock {
            if (login == newLogin && worker?.isAlive == true) return@withLock wake()
            close()
            login = newLogin
            worker = thread(name = "carillon-mqtt", isDaemon = true) { runConnections(newLogin) }
        }

    /** Ends the connection until [open] is called. */
    fun close() =
        lock.withLock {
            login = null
            connection?.close()
            changed.signalAll()
        }

    /** Ends the delay before the next attempt, for example because the network is back. */
    fun wake() =
        lock.withLock {
            isWaking = true
            changed.signalAll()
        }

    private fun runConnections(own: MqttLogin) {
        var failures = 0
        while (true) {
            val current = MqttConnection(gateway, own, keepAliveSeconds(), Connected { failures = 0 })
            lock.withLock {
                if (login != own) return
                connection = current
            }
            val reasonCode =
                try {
                    current.run()
                } catch (error: IOException) {
                    log("The connection ended: ${error.javaClass.simpleName}")
                    null
                }
            if (lock.withLock { login != own }) return
            val step = Reconnects.nextStep(reasonCode)
            log("The connection ended with reason code $reasonCode: $step")
            if (step == NextStep.LOGIN || step == NextStep.WAIT) {
                close()
                if (step == NextStep.LOGIN) onLoginEnded()
                return
            }
            failures++
            if (!waitBeforeRetry(own, Reconnects.delayMs(step, failures))) return
        }
    }

    /** Returns false if the connection is no longer wanted. */
    private fun waitBeforeRetry(own: MqttLogin, delayMs: Long): Boolean =
        lock.withLock {
            isWaking = false
            var restNs = TimeUnit.MILLISECONDS.toNanos(delayMs)
            while (restNs > 0 && !isWaking && login == own) restNs = changed.awaitNanos(restNs)
            login == own
        }

    private inner class Connected(private val reset: () -> Unit) : MqttListener by listener {
        override fun onConnected() {
            reset()
            listener.onConnected()
        }
    }
}
