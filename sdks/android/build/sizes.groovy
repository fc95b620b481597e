// Measures the AAR of a module: its size, and the size and method references of its dex. Compares them with sizes.json
// of the module, which the documentation states. A missing file is written; -Dandroid.sizes=update writes it again.
// With -Pshrink, R8 also shrinks the module with everything that it needs, which takes minutes.
import com.android.tools.r8.*
import com.android.tools.r8.origin.Origin
import com.google.gson.GsonBuilder
import com.google.gson.JsonParser
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Files
import java.util.zip.ZipFile

def main = new File(project.basedir, 'src/main')
if (!new File(main, 'AndroidManifest.xml').exists()) return
/** Figures may differ by this part, because a new version of a tool changes them a little. */
def TOLERANCE = 0.05

def version = "${project.artifactId}-${project.version}"
def publish = new File(session.request.multiModuleProjectDirectory, "target/publish/${project.groupId.replace('.', '/')}")
def aar = new File(publish, "${project.artifactId}/${project.version}/${version}.aar")
def work = new File(project.build.directory, 'dex')
work.deleteDir()
work.mkdirs()
def classes = new File(work, 'classes.jar')
new ZipFile(aar).withCloseable { classes.bytes = it.getInputStream(it.getEntry('classes.jar')).bytes }

def minSdk = project.properties['android.min-sdk'] as int
def isLibrary = { it.artifactId == 'android-all' }
def isStub = { it.artifactId.endsWith('-vendor-stubs') }
def needed = project.artifacts.findAll { it.artifactHandler.addedToClasspath && it.scope != 'test' && !isLibrary(it) }
def android = project.artifacts.find(isLibrary).file.toPath()

/** Returns the bytes and method references of all dex files in a folder. */
def figuresOf = { File folder ->
    def files = folder.listFiles().findAll { it.name.endsWith('.dex') }
    def methods = files.sum { ByteBuffer.wrap(it.bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(0x58) }
    [files.sum { it.length() }, methods]
}
def compile = { builder, String name ->
    def output = new File(work, name)
    output.mkdirs()
    builder.addProgramFiles(classes.toPath())
        .addLibraryFiles(android)
        .addLibraryResourceProvider(JdkClassFileProvider.fromSystemJdk())
        .setMinApiLevel(minSdk)
        .setMode(CompilationMode.RELEASE)
        .setOutput(output.toPath(), OutputMode.DexIndexed)
    output
}

def figures = new TreeMap()
def d8 = D8Command.builder()
def dex = compile(d8, 'd8')
needed.each { d8.addClasspathFiles(it.file.toPath()) }
D8.run(d8.build())
def (dexBytes, methods) = figuresOf(dex)
figures.putAll([aarBytes: aar.length(), classesBytes: classes.length(), dexBytes: dexBytes, methods: methods])

if (project.properties['android.shrink'] == 'true') {
    def r8 = R8Command.builder()
    def shrunk = compile(r8, 'r8')
    // An app can lack the SDK of a vendor. R8 then fails, unless the rules of the module permit the missing classes.
    needed.findAll { !isStub(it) }.each { r8.addProgramFiles(it.file.toPath()) }
    def components = (new File(main, 'AndroidManifest.xml').text =~ /android:name="(dev\.carillon\.[\w.]+)"/).collect { "-keep class ${it[1]} { <init>(); }" }
    // An app uses the whole interface. Without its classes, R8 would conclude that `start` always fails.
    def used = ['dev.carillon.*', "dev.carillon.${project.basedir.name}.*", 'dev.carillon.state.Credentials'].collect { "-keep class ${it} { public *; }".toString() }
    // Only for the libraries of FCM and UnifiedPush, of which the build leaves out unused parts.
    def unused = ['-dontwarn !com.huawei.**,!com.hihonor.**,!com.xiaomi.**,!com.heytap.**,!com.vivo.**,!com.meizu.**,**']
    r8.addProguardConfiguration(components*.toString() + used + unused, Origin.unknown())
    session.projects.collect { new File(it.basedir, 'src/main/proguard.txt') }
        .findAll { it.exists() && it.parentFile.parentFile.parentFile in [project.basedir, new File(project.basedir.parentFile, 'core')] }
        .each { r8.addProguardConfigurationFiles(it.toPath()) }
    R8.run(r8.build())
    def (shrunkBytes, shrunkMethods) = figuresOf(shrunk)
    figures.putAll([shrunkBytes: shrunkBytes, shrunkMethods: shrunkMethods])
}

def file = new File(project.basedir, 'sizes.json')
def stated = file.exists() ? JsonParser.parseString(file.text).asJsonObject.entrySet().collectEntries { [it.key, it.value.asLong] } : [:]
def isUpdate = session.userProperties['android.sizes'] == 'update'
def wrong = isUpdate ? [:] : figures.findAll { name, value -> stated[name] && Math.abs(value - stated[name]) > TOLERANCE * stated[name] }
if (wrong) throw new IllegalStateException("${project.artifactId} was ${wrong.keySet().collect { "${it} ${stated[it]}" }}, and is now ${wrong}. " +
    'If this is right, run with -Dandroid.sizes=update and `npm run docs`.')
if (isUpdate || figures.keySet() - stated.keySet()) {
    file.text = new GsonBuilder().setPrettyPrinting().create().toJson(new TreeMap(stated + figures)) + '\n'
    log.info("${file} written")
}
log.info("${project.artifactId}: ${figures}")
