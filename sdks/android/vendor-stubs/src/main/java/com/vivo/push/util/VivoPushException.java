package com.vivo.push.util;

/** Stub of a class of vivo's push SDK, for compilation only. */
public class VivoPushException extends Exception {}
