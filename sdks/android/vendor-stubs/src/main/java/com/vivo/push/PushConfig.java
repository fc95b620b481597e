package com.vivo.push;

/** Stub of a class of vivo's push SDK, for compilation only. */
public class PushConfig {
    final boolean agreesToPrivacyStatement;

    PushConfig(boolean agreesToPrivacyStatement) {
        this.agreesToPrivacyStatement = agreesToPrivacyStatement;
    }

    public static class Builder {
        private boolean agreesToPrivacyStatement;

        public Builder agreePrivacyStatement(boolean agrees) {
            agreesToPrivacyStatement = agrees;
            return this;
        }

        public PushConfig build() {
            return new PushConfig(agreesToPrivacyStatement);
        }
    }
}
