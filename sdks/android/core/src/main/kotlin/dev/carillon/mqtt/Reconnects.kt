package dev.carillon.mqtt

import kotlin.math.max
import kotlin.math.min

/** What the device does after a connection has ended. */
internal enum class NextStep {
    /** Reconnect after the usual delay, which grows with each failure. */
    LATER,

    /** Reconnect after a short random delay, because the gateway is stopping. */
    SOON,

    /** Wait for a new login. */
    LOGIN,

    /** Wait until the app asks for a connection, because another process uses this device. */
    WAIT,
}

internal object Reconnects {
    private const val FIRST_MS = 1_000L
    private const val MAX_MS = 120_000L
    private const val SOON_MS = 3_000L

    /** Returns the step that a reason code of MQTT 5 asks for. Null stands for a connection that was lost. */
    fun nextStep(reasonCode: Int?): NextStep =
        when (reasonCode) {
            0x86, 0x87, 0x8a -> NextStep.LOGIN
            0x8b, 0x9c -> NextStep.SOON
            0x8e -> NextStep.WAIT
            else -> NextStep.LATER
        }

    /**
     * Returns a random delay before the next attempt. Its upper bound doubles with each failure. The random part spreads
     * the devices that lost the same gateway.
     */
    fun delayMs(step: NextStep, failures: Int, random: () -> Double = Math::random): Long {
        val bound = min(MAX_MS, FIRST_MS shl min(failures - 1, 20))
        return (random() * if (step == NextStep.SOON) max(SOON_MS, bound) else bound).toLong()
    }
}
