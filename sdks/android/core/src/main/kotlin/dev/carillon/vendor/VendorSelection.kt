package dev.carillon.vendor

import java.util.Locale

/** Chooses the vendors of a phone. */
internal object VendorSelection {
    /**
     * The vendors of each maker, the preferred one first. The keys are values of `Build.MANUFACTURER` and `Build.BRAND`
     * in lower case.
     */
    private val vendorsOfMaker =
        mapOf(
            "huawei" to listOf(Vendor.HUAWEI),
            // Sells phones of Huawei with its system.
            "tdtech" to listOf(Vendor.HUAWEI),
            // Older phones of Honor have the push service of Huawei.
            "honor" to listOf(Vendor.HONOR, Vendor.HUAWEI),
            "xiaomi" to listOf(Vendor.XIAOMI),
            "redmi" to listOf(Vendor.XIAOMI),
            "poco" to listOf(Vendor.XIAOMI),
            "blackshark" to listOf(Vendor.XIAOMI),
            "oppo" to listOf(Vendor.OPPO),
            "realme" to listOf(Vendor.OPPO),
            "oneplus" to listOf(Vendor.OPPO),
            "vivo" to listOf(Vendor.VIVO),
            "iqoo" to listOf(Vendor.VIVO),
            "meizu" to listOf(Vendor.MEIZU),
        )

    /** Returns the vendors that can be selected on a phone, even if they are not available. */
    fun candidates(manufacturer: String, brand: String): List<Vendor> =
        vendorsOf(manufacturer, brand) + listOf(Vendor.FCM, Vendor.UNIFIED_PUSH)

    /**
     * Returns the vendors to register: the first available one of the phone's maker, and FCM where it works. Both are
     * registered, because many phones in China have Google services that receive nothing. UnifiedPush is used only if
     * there is no other vendor. The Carillon channel is used on every phone and is not a vendor.
     */
    fun select(manufacturer: String, brand: String, isAvailable: (Vendor) -> Boolean): List<Vendor> {
        val maker = vendorsOf(manufacturer, brand).firstOrNull(isAvailable)
        val selected = listOfNotNull(maker, Vendor.FCM.takeIf(isAvailable))
        return selected.ifEmpty { listOfNotNull(Vendor.UNIFIED_PUSH.takeIf(isAvailable)) }
    }

    /** Honor was a brand of Huawei, so the brand decides before the manufacturer. */
    private fun vendorsOf(manufacturer: String, brand: String): List<Vendor> =
        listOf(brand, manufacturer).map { it.lowercase(Locale.ROOT) }.firstNotNullOfOrNull(vendorsOfMaker::get).orEmpty()
}
