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
        maven { url = uri("../../sdks/android/target/publish") }
    }
}
rootProject.name = "shop"
