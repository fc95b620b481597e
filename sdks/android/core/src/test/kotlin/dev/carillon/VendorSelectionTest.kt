package dev.carillon

import dev.carillon.vendor.Vendor
import dev.carillon.vendor.Vendor.FCM
import dev.carillon.vendor.Vendor.HONOR
import dev.carillon.vendor.Vendor.HUAWEI
import dev.carillon.vendor.Vendor.MEIZU
import dev.carillon.vendor.Vendor.OPPO
import dev.carillon.vendor.Vendor.UNIFIED_PUSH
import dev.carillon.vendor.Vendor.VIVO
import dev.carillon.vendor.Vendor.XIAOMI
import dev.carillon.vendor.VendorSelection
import org.junit.Assert.assertEquals
import org.junit.Test

class VendorSelectionTest {
    private data class Row(val manufacturer: String, val brand: String, val available: Set<Vendor>, val expected: List<Vendor>)

    @Test
    fun `selects the vendor of the maker, and FCM where it works`() {
        val rows =
            listOf(
                Row("Xiaomi", "Redmi", setOf(XIAOMI, FCM), listOf(XIAOMI, FCM)),
                Row("Xiaomi", "POCO", setOf(FCM), listOf(FCM)),
                Row("HUAWEI", "HUAWEI", setOf(HUAWEI, HONOR), listOf(HUAWEI)),
                Row("HONOR", "HONOR", setOf(HONOR, HUAWEI, FCM), listOf(HONOR, FCM)),
                Row("HUAWEI", "HONOR", setOf(HUAWEI), listOf(HUAWEI)),
                Row("TDTECH", "TDTECH", setOf(HUAWEI), listOf(HUAWEI)),
                Row("realme", "realme", setOf(OPPO, HUAWEI), listOf(OPPO)),
                Row("Meizu", "meizu", setOf(MEIZU, FCM), listOf(MEIZU, FCM)),
                Row("blackshark", "blackshark", setOf(XIAOMI), listOf(XIAOMI)),
                // Magic UI before 4.0 has no push service of Honor.
                Row("HUAWEI", "HONOR", setOf(HUAWEI, FCM), listOf(HUAWEI, FCM)),
                Row("OnePlus", "OnePlus", setOf(OPPO, FCM), listOf(OPPO, FCM)),
                Row("vivo", "iQOO", setOf(VIVO), listOf(VIVO)),
                // The SDK of Xiaomi also starts on phones of other makers, but has no system service there.
                Row("Google", "google", setOf(FCM, XIAOMI), listOf(FCM)),
                Row("Fairphone", "Fairphone", setOf(UNIFIED_PUSH), listOf(UNIFIED_PUSH)),
                Row("Fairphone", "Fairphone", setOf(FCM, UNIFIED_PUSH), listOf(FCM)),
                Row("", "", emptySet(), emptyList()),
            )
        for (row in rows) assertEquals(row.toString(), row.expected, VendorSelection.select(row.manufacturer, row.brand, row.available::contains))
    }

    @Test
    fun `asks no vendor of another maker`() {
        val asked = mutableListOf<Vendor>()
        VendorSelection.select("HONOR", "HONOR") { vendor -> asked.add(vendor).and(false) }
        assertEquals(listOf(HONOR, HUAWEI, FCM, UNIFIED_PUSH), asked)
    }
}
