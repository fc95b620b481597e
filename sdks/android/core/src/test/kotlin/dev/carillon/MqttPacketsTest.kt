package dev.carillon

import dev.carillon.mqtt.MalformedPacket
import dev.carillon.mqtt.MqttPackets
import dev.carillon.mqtt.ServerPacket
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Test
import java.io.DataInputStream
import java.io.EOFException

class MqttPacketsTest {
    private fun bytes(hex: String) = hex.filterNot(Char::isWhitespace).chunked(2).map { it.toInt(16).toByte() }.toByteArray()

    private fun read(hex: String) = MqttPackets.read(DataInputStream(bytes(hex).inputStream()))

    @Test
    fun `writes a CONNECT with the keep-alive and the receive maximum`() {
        val expected = bytes("10 1a 00 04 4d515454 05 c2 00b4 03 21 0014 00 02 6465 00 02 7075 00 02 6163".replace(" ", ""))
        assertArrayEquals(expected, MqttPackets.connect("de", "pu", "ac", 180))
    }

    @Test
    fun `reads the keep-alive that the gateway demands, among other properties`() {
        assertEquals(ServerPacket.ConnAck(0, 600), read("20 0b 00 00 08 21 0014 24 01 13 0258"))
        assertEquals(ServerPacket.ConnAck(0x87, null), read("20 03 00 87 00"))
    }

    @Test
    fun `reads notifications and acknowledges them with a reason code`() {
        val publish = read("32 0c 00 04 70757368 0102 00 7b207d") as ServerPacket.Publish
        assertEquals("push", publish.topic)
        assertEquals(0x0102, publish.packetId)
        assertEquals("{ }", publish.payload.decodeToString())
        assertArrayEquals(bytes("40 02 0102"), MqttPackets.pubAck(0x0102, 0))
        assertArrayEquals(bytes("40 03 0102 80"), MqttPackets.pubAck(0x0102, 0x80))
    }

    @Test
    fun `rejects packets that are malformed or too large`() {
        assertThrows(MalformedPacket::class.java) { read("30 ff ff ff 7f") }
        assertThrows(MalformedPacket::class.java) { read("30 80 80 80 80 01") }
        assertThrows(MalformedPacket::class.java) { read("32 03 00 09 70") }
        assertThrows(EOFException::class.java) { read("30 05 00") }
    }
}
