package com.meizu.cloud.pushsdk.handler;

/** Stub of a class of Meizu's push SDK, for compilation only. The constructor is not that of Meizu. */
public class MzPushMessage {
    private final String selfDefineContentString;

    public MzPushMessage(String selfDefineContentString) {
        this.selfDefineContentString = selfDefineContentString;
    }

    public String getSelfDefineContentString() {
        return selfDefineContentString;
    }
}
