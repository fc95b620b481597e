package com.hihonor.push.sdk;

import android.content.Context;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of Honor's push SDK, for compilation only. */
public class HonorPushClient {
    private static final HonorPushClient INSTANCE = new HonorPushClient();

    public static HonorPushClient getInstance() {
        return INSTANCE;
    }

    public boolean checkSupportHonorPush(Context context) {
        return VendorCalls.recordWithResult("HonorPushClient.checkSupportHonorPush", false);
    }

    public void init(Context context, boolean requestsToken) {
        VendorCalls.record("HonorPushClient.init", requestsToken);
    }

    public void getPushToken(HonorPushCallback<String> callback) {
        VendorCalls.record("HonorPushClient.getPushToken", callback);
    }

    public void deletePushToken(HonorPushCallback<Void> callback) {
        VendorCalls.record("HonorPushClient.deletePushToken", callback);
    }
}
