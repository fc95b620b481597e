package com.meizu.cloud.pushsdk.platform.message;

/** Stub of a class of Meizu's push SDK, for compilation only. */
public class PushSwitchStatus extends BasicPushStatus {}
