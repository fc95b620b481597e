// Merges manifests into the manifest of an app, as a build of the app does. Fails on conflicts, if a manifest needs a newer
// Android than the app, and if the result has a permission or component that no src/main/privacy.json explains.
// The parent merges core and all modules. A module with AARs of others merges core, itself and these.
import com.android.manifmerger.Merger
import com.google.gson.JsonParser
import javax.xml.parsers.DocumentBuilderFactory

def minSdkOf = { File manifest -> (manifest.text =~ /android:minSdkVersion="(\d+)"/).with { it.find() ? it.group(1) as int : 1 } }
def manifestOf = { new File(it.basedir, 'src/main/AndroidManifest.xml') }
def modules = session.projects.findAll { manifestOf(it).exists() }
def minSdk = project.properties['android.min-sdk'] as int
def targetSdk = project.properties['android.target-sdk'] as int

/** Returns the merged manifest, and fails if the merger reports an error. */
def merge = { String name, int appMinSdk, List libraries ->
    def folder = new File(project.build.directory, 'manifests')
    folder.mkdirs()
    def app = new File(folder, "${name}-app.xml")
    def merged = new File(folder, "${name}-merged.xml")
    merged.delete()
    app.text = '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.app"><application /></manifest>'
    def placeholders = libraries.collectMany { (it.text =~ /\$\{(\w+)}/).collect { it[1] } }.toSet() - 'applicationId'
    def arguments = ['--main', app.path, '--libs', libraries*.path.join(File.pathSeparator), '--out', merged.path,
        '--property', "MIN_SDK_VERSION=${appMinSdk}", '--property', "TARGET_SDK_VERSION=${targetSdk}", '--log', 'WARNING']
    placeholders.each { arguments.addAll(['--placeholder', "${it}=1"]) }
    def code = new Merger().process(arguments as String[])
    if (code != 0 || !merged.exists()) throw new IllegalStateException("The manifests ${libraries*.path} cannot be merged for API ${appMinSdk}.")
    merged
}

def check = { File merged, List explaining ->
    def explained = explaining.collect { new File(it.basedir, 'src/main/privacy.json') }.findAll { it.exists() }
        .collectMany { JsonParser.parseString(it.text).asJsonObject.getAsJsonObject('reasons').keySet() }.toSet()
    def document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(merged)
    def names = ['permission', 'uses-permission', 'uses-permission-sdk-23', 'activity', 'activity-alias', 'service', 'receiver', 'provider'].collectMany {
        def elements = document.getElementsByTagName(it)
        (0..<elements.length).collect { i -> elements.item(i).getAttribute('android:name').replace('com.example.app', '${applicationId}') }
    }
    def unexplained = names.toSet() - explained
    if (unexplained) throw new IllegalStateException(
        "Add reasons for these to src/main/privacy.json of ${explaining*.artifactId}:\n${unexplained.sort().join('\n')}")
    log.info("${merged.name}: ${names.size()} permissions and components, each with a reason")
}

if (project.packaging == 'pom') {
    modules.groupBy { minSdkOf(manifestOf(it)) }.keySet().findAll { it > minSdk }.plus(minSdk).each { appMinSdk ->
        def included = modules.findAll { minSdkOf(manifestOf(it)) <= appMinSdk }
        if (included) check(merge("api-${appMinSdk}", appMinSdk, included.collect(manifestOf)), included)
    }
} else if (manifestOf(project).exists()) {
    def own = manifestOf(project)
    def core = modules.find { it.artifactId.endsWith('-core') }
    if (project == core && minSdkOf(own) != minSdk) throw new IllegalStateException("The manifest of core must have minSdkVersion ${minSdk}.")
    def others = new File(project.build.directory, 'aar').listFiles({ it.name.endsWith('.xml') } as FileFilter)
    if (others && core) check(merge('dependencies', minSdkOf(own), [manifestOf(core), own] + (others as List).sort()), [core, project])
}
