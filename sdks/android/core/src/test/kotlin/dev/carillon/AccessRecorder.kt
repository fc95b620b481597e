package dev.carillon

import android.content.BroadcastReceiver
import android.content.ComponentName
import android.content.ContentResolver
import android.content.Intent
import android.content.IntentFilter
import android.content.ServiceConnection
import android.content.SharedPreferences
import android.os.Build
import android.provider.Settings
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowContextImpl
import java.io.File
import java.io.IOException
import java.net.Proxy
import java.net.ProxySelector
import java.net.SocketAddress
import java.net.URI
import java.util.concurrent.CopyOnWriteArrayList

/**
 * Records accesses to identifiers, system services, components, the network, threads and files. Every identifier of a
 * phone or a network card is behind a system service, `Settings.Secure` or `Build.getSerial`. The advertising ID needs
 * `bindService`.
 */
internal object AccessRecorder {
    val accesses = CopyOnWriteArrayList<String>()

    @Volatile
    private var isRecording = false
    private var directories = emptyList<File>()
    private var threads = emptySet<Thread>()
    private var files = emptySet<File>()
    private var proxies: ProxySelector? = null

    fun add(access: String) {
        if (isRecording) accesses += access
    }

    fun start(watchedDirectories: List<File>) {
        accesses.clear()
        directories = watchedDirectories
        threads = Thread.getAllStackTraces().keys
        files = allFiles()
        proxies = ProxySelector.getDefault()
        ProxySelector.setDefault(RecordingProxySelector)
        isRecording = true
    }

    /** Returns everything that was recorded, with new threads and files. */
    fun stop(): List<String> {
        isRecording = false
        ProxySelector.setDefault(proxies)
        val newThreads = Thread.getAllStackTraces().keys - threads
        return accesses + newThreads.map { "thread ${it.name}" } + (allFiles() - files).map { "file ${it.name}" }
    }

    private fun allFiles() = directories.flatMap { it.walkTopDown().filter(File::isFile) }.toSet()

    /** Java asks it before each TCP connection: of sockets as well as of URL connections. */
    private object RecordingProxySelector : ProxySelector() {
        override fun select(uri: URI): List<Proxy> {
            add("network ${uri.scheme}")
            return listOf(Proxy.NO_PROXY)
        }

        override fun connectFailed(uri: URI, address: SocketAddress, error: IOException) = Unit
    }
}

@Implements(Settings.Secure::class)
internal class RecordingSecureSettings {
    companion object {
        @JvmStatic
        @Implementation
        fun getString(@Suppress("UNUSED_PARAMETER") resolver: ContentResolver?, name: String?): String? {
            AccessRecorder.add("identifier $name")
            return "0123456789abcdef"
        }
    }
}

@Implements(Build::class)
internal class RecordingBuild {
    companion object {
        @JvmStatic
        @Implementation
        fun getSerial(): String {
            AccessRecorder.add("identifier serial")
            return "unknown"
        }
    }
}

@Implements(className = ShadowContextImpl.CLASS_NAME)
internal class RecordingContext : ShadowContextImpl() {
    @Implementation
    override fun getSystemService(name: String?): Any? {
        AccessRecorder.add("service $name")
        return super.getSystemService(name)
    }

    @Implementation
    override fun getContentResolver(): ContentResolver? {
        AccessRecorder.add("content resolver")
        return super.getContentResolver()
    }

    @Implementation
    override fun startService(intent: Intent?): ComponentName? {
        AccessRecorder.add("component startService")
        return super.startService(intent)
    }

    @Implementation
    override fun bindService(intent: Intent?, connection: ServiceConnection?, flags: Int): Boolean {
        AccessRecorder.add("component bindService")
        return super.bindService(intent, connection, flags)
    }

    @Implementation
    override fun registerReceiver(receiver: BroadcastReceiver?, filter: IntentFilter?): Intent? {
        AccessRecorder.add("component registerReceiver")
        return super.registerReceiver(receiver, filter)
    }

    @Implementation
    override fun getSharedPreferences(name: String?, mode: Int): SharedPreferences? {
        AccessRecorder.add("file $name")
        return super.getSharedPreferences(name, mode)
    }
}
