package com.heytap.msp.push;

import android.content.Context;
import com.heytap.msp.push.callback.ICallBackResultService;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of OPPO's push SDK, for compilation only. */
public class HeytapPushManager {
    public static void init(Context context, boolean logs) {
        VendorCalls.record("HeytapPushManager.init", logs);
    }

    public static boolean isSupportPush(Context context) {
        return VendorCalls.recordWithResult("HeytapPushManager.isSupportPush", false);
    }

    public static void register(Context context, String appKey, String appSecret, ICallBackResultService callback) {
        VendorCalls.record("HeytapPushManager.register", appKey, appSecret, callback);
    }

    public static void unRegister() {
        VendorCalls.record("HeytapPushManager.unRegister");
    }
}
