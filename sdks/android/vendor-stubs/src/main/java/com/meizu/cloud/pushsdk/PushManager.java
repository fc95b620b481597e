package com.meizu.cloud.pushsdk;

import android.content.Context;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public class PushManager {
    public static void register(Context context, String appId, String appKey) {
        VendorCalls.record("PushManager.register", appId, appKey);
    }

    public static void unRegister(Context context, String appId, String appKey) {
        VendorCalls.record("PushManager.unRegister", appId, appKey);
    }
}
