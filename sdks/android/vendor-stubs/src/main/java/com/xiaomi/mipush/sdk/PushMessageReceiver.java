package com.xiaomi.mipush.sdk;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Stub of a class of Xiaomi's push SDK, for compilation only. */
public abstract class PushMessageReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {}

    public void onReceivePassThroughMessage(Context context, MiPushMessage message) {}

    public void onNotificationMessageClicked(Context context, MiPushMessage message) {}

    public void onNotificationMessageArrived(Context context, MiPushMessage message) {}

    public void onReceiveRegisterResult(Context context, MiPushCommandMessage message) {}
}
