package com.vivo.push.listener;

/** Stub of an interface of vivo's push SDK, for compilation only. */
public interface IPushQueryActionListener extends IPushRequestListener<String, Integer> {}
