package dev.carillon

import dev.carillon.mqtt.NextStep
import dev.carillon.mqtt.Reconnects
import org.junit.Assert.assertEquals
import org.junit.Test

class ReconnectsTest {
    @Test
    fun `logs in again, waits or reconnects as the reason code says`() {
        assertEquals(NextStep.LATER, Reconnects.nextStep(null))
        assertEquals(NextStep.LATER, Reconnects.nextStep(0x97))
        assertEquals(NextStep.LOGIN, Reconnects.nextStep(0x87))
        assertEquals(NextStep.SOON, Reconnects.nextStep(0x9c))
        assertEquals(NextStep.WAIT, Reconnects.nextStep(0x8e))
    }

    @Test
    fun `waits longer after each failure, at most two minutes`() {
        val bounds = listOf(1, 2, 4, 40).map { failures -> Reconnects.delayMs(NextStep.LATER, failures) { 1.0 } }
        assertEquals(listOf(1_000L, 2_000L, 8_000L, 120_000L), bounds)
        assertEquals(0L, Reconnects.delayMs(NextStep.LATER, 5) { 0.0 })
        assertEquals(3_000L, Reconnects.delayMs(NextStep.SOON, 1) { 1.0 })
    }
}
