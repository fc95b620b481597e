package com.heytap.msp.push.callback;

/** Stub of an interface of OPPO's push SDK, for compilation only. */
public interface ICallBackResultService {
    void onRegister(int responseCode, String registerId, String packageName, String miniPackageName);

    void onUnRegister(int responseCode, String packageName, String miniPackageName);

    void onSetPushTime(int responseCode, String pushTime);

    void onGetPushStatus(int responseCode, int status);

    void onGetNotificationStatus(int responseCode, int status);

    void onError(int errorCode, String message, String packageName, String miniPackageName);
}
