package com.xiaomi.mipush.sdk;

import android.content.Context;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of Xiaomi's push SDK, for compilation only. */
public abstract class MiPushClient {
    public static final String COMMAND_REGISTER = "register";

    public static void registerPush(Context context, String appId, String appKey) {
        VendorCalls.record("MiPushClient.registerPush", appId, appKey);
    }

    /** Checked against public code of several apps. Unverified in the documents of Xiaomi. */
    public static String getRegId(Context context) {
        return VendorCalls.recordWithResult("MiPushClient.getRegId", null);
    }

    public static void unregisterPush(Context context) {
        VendorCalls.record("MiPushClient.unregisterPush");
    }
}
