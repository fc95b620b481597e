pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}
dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
        // The SDK after `mvn install`. See docs/app/android.md.
        mavenLocal()
    }
}
rootProject.name = "shop"
