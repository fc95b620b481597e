package com.hihonor.push.sdk;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** Stub of a class of Honor's push SDK, for compilation only. */
public abstract class HonorMessageService extends Service {
    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    public void onNewToken(String token) {}

    public void onMessageReceived(HonorPushDataMsg message) {}
}
