package com.xiaomi.mipush.sdk;

import java.util.List;

/** Stub of a class of Xiaomi's push SDK, for compilation only. The constructor is not that of Xiaomi. */
public class MiPushCommandMessage {
    private final String command;
    private final long resultCode;
    private final List<String> commandArguments;

    public MiPushCommandMessage(String command, long resultCode, List<String> commandArguments) {
        this.command = command;
        this.resultCode = resultCode;
        this.commandArguments = commandArguments;
    }

    public String getCommand() {
        return command;
    }

    public long getResultCode() {
        return resultCode;
    }

    public List<String> getCommandArguments() {
        return commandArguments;
    }
}
