package com.meizu.cloud.pushsdk.platform.message;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public class BasicPushStatus {
    public static final String SUCCESS_CODE = "200";

    private String code;

    public String getCode() {
        return code;
    }

    public void setCode(String code) {
        this.code = code;
    }
}
