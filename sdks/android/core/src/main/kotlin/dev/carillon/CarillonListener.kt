package dev.carillon

import dev.carillon.vendor.Vendor

/** Receives events of the SDK on the main thread. */
interface CarillonListener {
    /**
     * A notification has arrived. Return true if the app has displayed or stored it, and false to let the SDK display it.
     * A data-only notification is never displayed. If it arrives before a listener was set, it is delivered when one is
     * set. At most 20 are kept.
     */
    fun onNotification(notification: CarillonNotification): Boolean = false

    /** The user tapped a notification. Taps before a listener was set, as in a cold start, are delivered when it is set. */
    fun onTap(notification: CarillonNotification) {}

    /** A notification has changed the badge. Launchers of some makers need a call to display it. */
    fun onBadge(badge: Int) {}

    /** A notification was recalled. The SDK has removed what it displayed. */
    fun onRecall(messageId: String) {}

    /**
     * A vendor token was registered at Carillon: after a login, after the vendor has issued another one, and every seven
     * days. Carillon then reaches the device through this vendor. Tokens before a listener was set are not delivered.
     */
    fun onToken(vendor: Vendor, token: String) {}

    /** The login has ended, for example because the password was changed. The user must log in again. */
    fun onLoggedOut() {}
}
