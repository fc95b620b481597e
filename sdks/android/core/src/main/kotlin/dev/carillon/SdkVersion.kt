package dev.carillon

internal const val SDK_VERSION = "0.1.0"

/** Replaces the header of Android, which contains the model, the Android version and the build of the phone. */
internal const val USER_AGENT = "carillon-android/$SDK_VERSION"
