package com.vivo.push.listener;

/** Stub of an interface of vivo's push SDK, for compilation only. */
public interface IPushRequestListener<S, F> {
    void onSuccess(S result);

    void onFail(F error);
}
