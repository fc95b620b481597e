package com.hihonor.push.sdk;

/** Stub of a class of Honor's push SDK, for compilation only. The constructor is not that of Honor. */
public class HonorPushDataMsg {
    private final String data;

    public HonorPushDataMsg(String data) {
        this.data = data;
    }

    public String getData() {
        return data;
    }
}
