package dev.carillon.mqtt

import java.io.ByteArrayOutputStream
import java.io.DataInputStream
import java.io.EOFException
import java.io.IOException

/** A packet that the gateway sends. Packets that a device does not need are [Other]. */
internal sealed interface ServerPacket {
    data class ConnAck(val reasonCode: Int, val keepAliveSeconds: Int?) : ServerPacket

    class Publish(val topic: String, val packetId: Int?, val payload: ByteArray) : ServerPacket

    /** The answer to a report of this device. */
    data class PubAck(val packetId: Int, val reasonCode: Int) : ServerPacket

    data class Disconnect(val reasonCode: Int) : ServerPacket

    data object PingResponse : ServerPacket

    data class Other(val type: Int) : ServerPacket
}

/** The gateway sent bytes that are not MQTT 5. */
internal class MalformedPacket(message: String) : IOException(message)

/** The packets of MQTT 5 that a device sends. */
internal object MqttPackets {
    /** The gateway sends at most this many notifications before it waits for an acknowledgement. */
    private const val RECEIVE_MAXIMUM = 20

    fun connect(clientId: String, userName: String, password: String, keepAliveSeconds: Int): ByteArray =
        packet(CONNECT) {
            text("MQTT")
            byte(VERSION_5)
            byte(FLAG_CLEAN_START or FLAG_USER_NAME or FLAG_PASSWORD)
            short(keepAliveSeconds)
            properties {
                byte(PROPERTY_RECEIVE_MAXIMUM)
                short(RECEIVE_MAXIMUM)
            }
            text(clientId)
            text(userName)
            text(password)
        }

    /** Asks for recalls. The gateway sends notifications without a subscription. */
    fun subscribeToRecalls(packetId: Int): ByteArray =
        packet(SUBSCRIBE) {
            short(packetId)
            properties { }
            text(RECALL_TOPIC)
            byte(0) // QoS 0
        }

    fun publish(topic: String, packetId: Int, payload: ByteArray): ByteArray =
        packet(PUBLISH_QOS_1) {
            text(topic)
            short(packetId)
            properties { }
            bytes(payload)
        }

    fun pubAck(packetId: Int, reasonCode: Int): ByteArray =
        packet(PUBACK) {
            short(packetId)
            if (reasonCode != 0) byte(reasonCode)
        }

    fun pingRequest(): ByteArray = byteArrayOf(PINGREQ.toByte(), 0)

    fun disconnect(): ByteArray = byteArrayOf(DISCONNECT.toByte(), 0)

    /** Reads one packet. Throws an [EOFException] if the gateway has closed the connection. */
    fun read(input: DataInputStream): ServerPacket {
        val header = input.readUnsignedByte()
        val length = readVariableInteger(input)
        if (length > PACKET_BYTES_MAX) throw MalformedPacket("A packet has $length bytes.")
        val body = ByteArray(length)
        input.readFully(body)
        return parse(header, PacketReader(body))
    }

    private fun parse(header: Int, body: PacketReader): ServerPacket =
        when (header shr 4) {
            CONNACK_TYPE -> {
                body.byte() // session present is always 0
                val reasonCode = body.byte()
                ServerPacket.ConnAck(reasonCode, keepAliveIn(body))
            }
            PUBLISH_TYPE -> {
                val topic = body.text()
                val packetId = if (header and QOS_MASK == 0) null else body.short()
                body.skip(body.variableInteger())
                ServerPacket.Publish(topic, packetId, body.rest())
            }
            PUBACK_TYPE -> ServerPacket.PubAck(body.short(), if (body.hasMore()) body.byte() else 0)
            DISCONNECT_TYPE -> ServerPacket.Disconnect(if (body.hasMore()) body.byte() else 0)
            PINGRESP_TYPE -> ServerPacket.PingResponse
            else -> ServerPacket.Other(header shr 4)
        }

    /** Returns the keep-alive that the gateway demands instead of the requested one. */
    private fun keepAliveIn(body: PacketReader): Int? {
        if (!body.hasMore()) return null
        val end = body.variableInteger() + body.position
        var keepAlive: Int? = null
        while (body.position < end) {
            val id = body.byte()
            if (id == PROPERTY_SERVER_KEEP_ALIVE) keepAlive = body.short() else body.skipProperty(id)
        }
        return keepAlive
    }

    private fun readVariableInteger(input: DataInputStream): Int {
        var value = 0
        for (shift in 0..21 step 7) {
            val byte = input.readUnsignedByte()
            value = value or ((byte and 0x7f) shl shift)
            if (byte and 0x80 == 0) return value
        }
        throw MalformedPacket("A length has more than four bytes.")
    }

    private fun packet(header: Int, write: PacketWriter.() -> Unit): ByteArray {
        val body = PacketWriter().apply(write).toByteArray()
        return PacketWriter().apply {
            byte(header)
            variableInteger(body.size)
            bytes(body)
        }.toByteArray()
    }

    const val PUSH_TOPIC = "push"
    const val RECALL_TOPIC = "recall"

    /** A notification is smaller. The limit protects the memory of the phone. */
    private const val PACKET_BYTES_MAX = 1_048_576

    private const val CONNECT = 0x10
    private const val PUBLISH_QOS_1 = 0x32
    private const val PUBACK = 0x40
    private const val SUBSCRIBE = 0x82
    private const val PINGREQ = 0xc0
    private const val DISCONNECT = 0xe0
    private const val CONNACK_TYPE = 2
    private const val PUBLISH_TYPE = 3
    private const val PUBACK_TYPE = 4
    private const val PINGRESP_TYPE = 13
    private const val DISCONNECT_TYPE = 14
    private const val QOS_MASK = 0x06
    private const val VERSION_5 = 5
    private const val FLAG_CLEAN_START = 0x02
    private const val FLAG_PASSWORD = 0x40
    private const val FLAG_USER_NAME = 0x80
    private const val PROPERTY_SERVER_KEEP_ALIVE = 0x13
    private const val PROPERTY_RECEIVE_MAXIMUM = 0x21
}

private class PacketWriter {
    private val out = ByteArrayOutputStream()

    fun byte(value: Int) = out.write(value)

    fun short(value: Int) {
        byte(value shr 8)
        byte(value and 0xff)
    }

    fun variableInteger(value: Int) {
        var rest = value
        do {
            byte((rest and 0x7f) or (if (rest > 0x7f) 0x80 else 0))
            rest = rest shr 7
        } while (rest > 0)
    }

    fun bytes(value: ByteArray) = out.write(value, 0, value.size)

    fun text(value: String) {
        val encoded = value.toByteArray()
        short(encoded.size)
        bytes(encoded)
    }

    fun properties(write: PacketWriter.() -> Unit) {
        val encoded = PacketWriter().apply(write).toByteArray()
        variableInteger(encoded.size)
        bytes(encoded)
    }

    fun toByteArray(): ByteArray = out.toByteArray()
}

private class PacketReader(private val body: ByteArray) {
    var position = 0
        private set

    fun hasMore() = position < body.size

    fun byte(): Int {
        if (!hasMore()) throw MalformedPacket("A packet is too short.")
        return body[position++].toInt() and 0xff
    }

    fun short(): Int = (byte() shl 8) or byte()

    fun variableInteger(): Int {
        var value = 0
        for (shift in 0..21 step 7) {
            val byte = byte()
            value = value or ((byte and 0x7f) shl shift)
            if (byte and 0x80 == 0) return value
        }
        throw MalformedPacket("A length has more than four bytes.")
    }

    fun skip(count: Int) {
        if (position + count > body.size) throw MalformedPacket("A packet is too short.")
        position += count
    }

    fun text(): String {
        val length = short()
        val start = position
        skip(length)
        return String(body, start, length, Charsets.UTF_8)
    }

    fun rest(): ByteArray = body.copyOfRange(position, body.size).also { position = body.size }

    /** Skips the value of a property. Its type follows from its ID. */
    fun skipProperty(id: Int) {
        when (id) {
            0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a -> skip(1)
            0x13, 0x21, 0x22, 0x23 -> skip(2)
            0x02, 0x11, 0x18, 0x27 -> skip(4)
            0x0b -> variableInteger()
            0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1a, 0x1c, 0x1f -> skip(short())
            0x26 -> {
                skip(short())
                skip(short())
            }
            else -> throw MalformedPacket("A packet has the unknown property $id.")
        }
    }
}
