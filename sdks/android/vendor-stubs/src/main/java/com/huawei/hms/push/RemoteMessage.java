package com.huawei.hms.push;

import java.util.Map;

/** Stub of a class of Huawei Push Kit, for compilation only. The constructors are not those of Huawei. */
public class RemoteMessage {
    private final Map<String, String> data;
    private final Notification notification;

    public RemoteMessage(Map<String, String> data, Notification notification) {
        this.data = data;
        this.notification = notification;
    }

    public Map<String, String> getDataOfMap() {
        return data;
    }

    public Notification getNotification() {
        return notification;
    }

    public static class Notification {
        private final String title;
        private final String body;

        public Notification(String title, String body) {
            this.title = title;
            this.body = body;
        }

        public String getTitle() {
            return title;
        }

        public String getBody() {
            return body;
        }
    }
}
