package com.vivo.push;

import android.content.Context;
import com.vivo.push.listener.IPushQueryActionListener;
import com.vivo.push.util.VivoPushException;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of vivo's push SDK, for compilation only. */
public class PushClient {
    private static final PushClient INSTANCE = new PushClient();

    public static PushClient getInstance(Context context) {
        return INSTANCE;
    }

    public void initialize(PushConfig config) throws VivoPushException {
        VendorCalls.record("PushClient.initialize", config.agreesToPrivacyStatement);
    }

    public boolean isSupport() {
        return VendorCalls.recordWithResult("PushClient.isSupport", false);
    }

    public void turnOnPush(IPushActionListener listener) {
        VendorCalls.record("PushClient.turnOnPush", listener);
    }

    public void turnOffPush(IPushActionListener listener) {
        VendorCalls.record("PushClient.turnOffPush", listener);
    }

    public void getRegId(IPushQueryActionListener listener) {
        VendorCalls.record("PushClient.getRegId", listener);
    }
}
