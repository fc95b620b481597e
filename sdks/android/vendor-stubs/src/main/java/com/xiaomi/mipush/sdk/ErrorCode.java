package com.xiaomi.mipush.sdk;

/** Stub of a class of Xiaomi's push SDK, for compilation only. */
public class ErrorCode {
    public static final int SUCCESS = 0;
}
