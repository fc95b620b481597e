// Assembles the AAR of a module with a manifest, and writes it with a POM and the sources to target/publish, which is
// laid out as a Maven repository. The bytes depend only on the sources.
import java.nio.charset.StandardCharsets
import java.security.MessageDigest
import java.time.LocalDateTime
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream

def main = new File(project.basedir, 'src/main')
def manifest = new File(main, 'AndroidManifest.xml')
if (!manifest.exists()) return
assert !new File(main, 'res').exists() : "${project.artifactId} has resources, which this build cannot compile."

/** Returns a zip whose entries are sorted and have the same time. */
def zip = { Map<String, byte[]> entries ->
    def bytes = new ByteArrayOutputStream()
    new ZipOutputStream(bytes).withCloseable { zip ->
        entries.sort().each { name, content ->
            def entry = new ZipEntry(name)
            entry.timeLocal = LocalDateTime.of(1980, 2, 1, 0, 0)
            zip.putNextEntry(entry)
            zip.write(content)
            zip.closeEntry()
        }
    }
    bytes.toByteArray()
}

/** Returns the files below a folder by their relative paths. */
def filesIn = { File folder, String extensions ->
    def files = [:]
    if (folder.exists()) folder.eachFileRecurse { file ->
        if (file.name ==~ /.*[.](${extensions})/) files[folder.toPath().relativize(file.toPath()).toString()] = file.bytes
    }
    files
}
def text = { String content -> content.getBytes(StandardCharsets.UTF_8) }

def classes = filesIn(new File(project.build.outputDirectory), 'class|kotlin_module')
def foreign = classes.keySet().findAll { !(it ==~ '(dev/carillon|META-INF)/.+') }
assert !foreign : "${project.artifactId} contains classes of others: ${foreign}"
def rules = new File(main, 'proguard.txt')
def metadata = """\
    aarFormatVersion=1.0
    aarMetadataVersion=1.0
    minCompileSdk=${project.properties['android.min-compile-sdk']}
    minCompileSdkExtension=0
    minAndroidGradlePluginVersion=1.0.0
    coreLibraryDesugaringEnabled=false
    """.stripIndent()
def aar = zip([
    'AndroidManifest.xml': manifest.bytes,
    'META-INF/com/android/build/gradle/aar-metadata.properties': text(metadata),
    'R.txt': new byte[0],
    'classes.jar': zip(classes),
    'proguard.txt': rules.exists() ? rules.bytes : new byte[0],
])

// The list of AARs in pom.xml is flat, for building only: apps resolve the dependencies of the first one themselves.
def aars = project.dependencies.findAll { it.type == 'aar' && it.scope != 'test' }
def dependencies = aars.take(1) + project.dependencies.findAll {
    it.scope == 'compile' && (it.groupId == project.groupId || it.artifactId == 'kotlin-stdlib')
}
// Gradle gives an app at least this version. A Kotlin compiler can only read metadata up to the next version of Kotlin.
def stdlib = dependencies.find { it.artifactId == 'kotlin-stdlib' }.version
def language = project.properties['kotlin.language']
assert stdlib.startsWith("${language}.") : "${project.artifactId} needs kotlin-stdlib ${stdlib}, but its code is Kotlin ${language}."
def dependencyLines = dependencies.collect { declared ->
    def type = declared.type == 'aar' || declared.groupId == project.groupId ? 'aar' : 'jar'
    """\
    <dependency>
      <groupId>${declared.groupId}</groupId>
      <artifactId>${declared.artifactId}</artifactId>
      <version>${declared.version}</version>
      <type>${type}</type>
      <scope>compile</scope>
    </dependency>
"""
}
def pom = """\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${project.groupId}</groupId>
  <artifactId>${project.artifactId}</artifactId>
  <version>${project.version}</version>
  <packaging>aar</packaging>
  <name>${project.name}</name>
  <licenses>
    <license>
      <name>MIT</name>
    </license>
  </licenses>
  <dependencies>
${dependencyLines.join()}  </dependencies>
</project>
"""

def repository = new File(session.request.multiModuleProjectDirectory, 'target/publish')
def folder = new File(repository, "${project.groupId.replace('.', '/')}/${project.artifactId}/${project.version}")
folder.mkdirs()
def base = "${project.artifactId}-${project.version}"
[
    "${base}.aar": aar,
    "${base}.pom": text(pom),
    "${base}-sources.jar": zip(filesIn(new File(main, 'kotlin'), 'kt')),
].each { name, bytes ->
    new File(folder, name.toString()).bytes = bytes
    [md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256'].each { extension, algorithm ->
        new File(folder, "${name}.${extension}").text = MessageDigest.getInstance(algorithm).digest(bytes).encodeHex()
    }
}
log.info("${base}.aar: ${aar.length} bytes")
