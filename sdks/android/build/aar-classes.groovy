// Puts the classes of AARs on the class path. Maven resolves AARs, but does not know what is in them.
import java.util.zip.ZipFile
import org.apache.maven.artifact.handler.DefaultArtifactHandler

def handler = new DefaultArtifactHandler('jar')
handler.addedToClasspath = true
project.artifacts.findAll { it.type == 'aar' }.each { artifact ->
    def jar = new File(project.build.directory, "aar/${artifact.groupId}.${artifact.artifactId}-${artifact.version}.jar")
    jar.parentFile.mkdirs()
    new ZipFile(artifact.file).withCloseable { aar ->
        assert !aar.entries().any { it.name ==~ 'libs/.+[.]jar' } : "${artifact} contains further jars."
        jar.bytes = aar.getInputStream(aar.getEntry('classes.jar')).bytes
    }
    artifact.artifactHandler = handler
    artifact.file = jar
}
