package com.huawei.hms.aaid;

import android.content.Context;
import com.huawei.hms.common.ApiException;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of Huawei Push Kit, for compilation only. */
public class HmsInstanceId {
    private static final HmsInstanceId INSTANCE = new HmsInstanceId();

    public static HmsInstanceId getInstance(Context context) {
        return INSTANCE;
    }

    public String getToken(String appId, String scope) throws ApiException {
        return VendorCalls.recordWithResult("HmsInstanceId.getToken", null, appId, scope);
    }

    public void deleteToken(String appId, String scope) throws ApiException {
        VendorCalls.record("HmsInstanceId.deleteToken", appId, scope);
    }
}
