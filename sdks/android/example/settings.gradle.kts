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
        // The SDK after `npm run android`. See docs/app/android.md.
        maven { url = uri("../target/publish") }
    }
}
rootProject.name = "shop"
