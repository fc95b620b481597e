package com.meizu.cloud.pushsdk.util;

import android.content.Context;
import dev.carillon.stubs.VendorCalls;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public class MzSystemUtils {
    public static boolean isBrandMeizu(Context context) {
        return VendorCalls.recordWithResult("MzSystemUtils.isBrandMeizu", false);
    }
}
