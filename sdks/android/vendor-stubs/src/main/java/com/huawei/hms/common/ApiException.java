package com.huawei.hms.common;

/** Stub of a class of HMS Core, for compilation only. The constructor is not that of Huawei. */
public class ApiException extends Exception {
    private final int statusCode;

    public ApiException(int statusCode) {
        super("code " + statusCode);
        this.statusCode = statusCode;
    }

    public int getStatusCode() {
        return statusCode;
    }
}
