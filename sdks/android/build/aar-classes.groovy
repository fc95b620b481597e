// Puts the classes of AARs on the class path. Maven resolves AARs, but does not know what is in them.
import java.util.zip.ZipFile
import org.apache.maven.artifact.handler.DefaultArtifactHandler

def onClassPath = new DefaultArtifactHandler('jar')
onClassPath.addedToClasspath = true
project.artifacts.findAll { it.type == 'aar' }.each { artifact ->
    def jar = new File(project.build.directory, "aar/${artifact.groupId}.${artifact.artifactId}-${artifact.version}.jar")
    jar.parentFile.mkdirs()
    new ZipFile(artifact.file).withCloseable { aar ->
        assert !aar.entries().any { it.name ==~ 'libs/.+[.]jar' } : "${artifact} contains further jars."
        jar.bytes = aar.getInputStream(aar.getEntry('classes.jar')).bytes
        def manifest = aar.getEntry('AndroidManifest.xml')
        if (artifact.scope != 'test') new File("${jar}.xml").bytes = aar.getInputStream(manifest).bytes
    }
    artifact.artifactHandler = onClassPath
    artifact.file = jar
}

// Robolectric loads this jar itself, into a class loader of each test. Maven only downloads it.
def offClassPath = new DefaultArtifactHandler('jar')
offClassPath.addedToClasspath = false
project.artifacts.findAll { it.artifactId == 'android-all-instrumented' }.each { artifact ->
    artifact.artifactHandler = offClassPath
    project.properties['robolectric.directory'] = artifact.file.parent
}
