package com.huawei.hms.push;

/** Stub of a class of Huawei Push Kit, for compilation only. The constructor is not that of Huawei. */
public class BaseException extends Exception {
    private final int errorCode;

    public BaseException(int errorCode) {
        super("code " + errorCode);
        this.errorCode = errorCode;
    }

    public int getErrorCode() {
        return errorCode;
    }
}
