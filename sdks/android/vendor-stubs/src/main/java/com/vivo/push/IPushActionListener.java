package com.vivo.push;

/** Stub of an interface of vivo's push SDK, for compilation only. */
public interface IPushActionListener {
    void onStateChanged(int state);
}
