package dev.carillon.vendor

/** A vendor, with its number in the API and its name in the manifest and in `sdks/android`. */
enum class Vendor(val provider: Int, val key: String) {
    HUAWEI(2, "huawei"),
    XIAOMI(3, "xiaomi"),
    MEIZU(4, "meizu"),
    VIVO(5, "vivo"),
    OPPO(6, "oppo"),
    FCM(7, "fcm"),
    HONOR(8, "honor"),
    UNIFIED_PUSH(10, "unifiedpush"),
}
