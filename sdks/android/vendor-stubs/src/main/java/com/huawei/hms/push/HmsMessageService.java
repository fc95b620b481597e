package com.huawei.hms.push;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** Stub of a class of Huawei Push Kit, for compilation only. */
public abstract class HmsMessageService extends Service {
    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    public void onNewToken(String token) {}

    public void onTokenError(Exception error) {}

    public void onMessageReceived(RemoteMessage message) {}
}
