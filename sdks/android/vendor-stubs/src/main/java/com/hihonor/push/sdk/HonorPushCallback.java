package com.hihonor.push.sdk;

/** Stub of an interface of Honor's push SDK, for compilation only. */
public interface HonorPushCallback<T> {
    void onSuccess(T result);

    void onFailure(int errorCode, String errorMessage);
}
