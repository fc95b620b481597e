package com.xiaomi.mipush.sdk;

import java.io.Serializable;

/** Stub of a class of Xiaomi's push SDK, for compilation only. The constructor is not that of Xiaomi. */
public class MiPushMessage implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String content;

    public MiPushMessage(String content) {
        this.content = content;
    }

    public String getContent() {
        return content;
    }
}
