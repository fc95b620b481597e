package com.vivo.push.model;

import java.util.Map;

/** Stub of a class of vivo's push SDK, for compilation only. The constructor is not that of vivo. */
public class UPSNotificationMessage {
    private final String title;
    private final String content;
    private final Map<String, String> params;

    public UPSNotificationMessage(String title, String content, Map<String, String> params) {
        this.title = title;
        this.content = content;
        this.params = params;
    }

    public String getTitle() {
        return title;
    }

    public String getContent() {
        return content;
    }

    public Map<String, String> getParams() {
        return params;
    }
}
