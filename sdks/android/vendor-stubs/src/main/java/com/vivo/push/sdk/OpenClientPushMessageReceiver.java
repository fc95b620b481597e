package com.vivo.push.sdk;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import com.vivo.push.model.UPSNotificationMessage;

/** Stub of a class of vivo's push SDK, for compilation only. */
public abstract class OpenClientPushMessageReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {}

    public void onReceiveRegId(Context context, String regId) {}

    public void onNotificationMessageClicked(Context context, UPSNotificationMessage message) {}

    public void onForegroundMessageArrived(UPSNotificationMessage message) {}
}
