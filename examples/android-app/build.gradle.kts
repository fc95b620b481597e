plugins {
    id("com.android.application") version "9.1.0"
}

android {
    namespace = "com.example.shop"
    compileSdk = 36
    defaultConfig {
        applicationId = "com.example.shop"
        minSdk = 23
        targetSdk = 35
        versionCode = 1
        versionName = "1.0"
    }
}

dependencies {
    implementation("dev.carillon:carillon-android-core:0.1.0")
}
