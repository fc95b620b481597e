package dev.carillon

/** The clock of the phone, which can be wrong. Only `show_end_time` and the age of a binding depend on it. */
internal object WallClock {
    /** Tests replace it. */
    @Volatile
    var nowMs: () -> Long = System::currentTimeMillis
}
