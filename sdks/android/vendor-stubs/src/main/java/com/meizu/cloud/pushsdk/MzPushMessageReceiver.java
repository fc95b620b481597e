package com.meizu.cloud.pushsdk;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import com.meizu.cloud.pushsdk.handler.MzPushMessage;
import com.meizu.cloud.pushsdk.platform.message.PushSwitchStatus;
import com.meizu.cloud.pushsdk.platform.message.RegisterStatus;
import com.meizu.cloud.pushsdk.platform.message.SubAliasStatus;
import com.meizu.cloud.pushsdk.platform.message.SubTagsStatus;
import com.meizu.cloud.pushsdk.platform.message.UnRegisterStatus;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public abstract class MzPushMessageReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {}

    public abstract void onRegisterStatus(Context context, RegisterStatus status);

    public abstract void onUnRegisterStatus(Context context, UnRegisterStatus status);

    public abstract void onPushStatus(Context context, PushSwitchStatus status);

    public abstract void onSubTagsStatus(Context context, SubTagsStatus status);

    public abstract void onSubAliasStatus(Context context, SubAliasStatus status);

    public void onNotificationArrived(Context context, MzPushMessage message) {}

    public void onNotificationClicked(Context context, MzPushMessage message) {}
}
