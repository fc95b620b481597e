package com.meizu.cloud.pushsdk.platform.message;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public class RegisterStatus extends BasicPushStatus {
    private String pushId;

    public String getPushId() {
        return pushId;
    }

    public void setPushId(String pushId) {
        this.pushId = pushId;
    }
}
