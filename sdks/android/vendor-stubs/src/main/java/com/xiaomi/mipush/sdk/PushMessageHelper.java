package com.xiaomi.mipush.sdk;

/** Stub of a class of Xiaomi's push SDK, for compilation only. */
public class PushMessageHelper {
    public static final String KEY_MESSAGE = "key_message";
}
