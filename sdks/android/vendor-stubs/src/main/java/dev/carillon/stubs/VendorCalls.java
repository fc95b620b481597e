package dev.carillon.stubs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records the calls of the stubs for tests. A test sets the results in advance, by the name of the method. */
public final class VendorCalls {
    /** A call with its arguments, without the context. */
    public static final class Call {
        public final String method;
        public final List<Object> arguments;

        Call(String method, Object... arguments) {
            this.method = method;
            this.arguments = List.of(arguments);
        }
    }

    private static final List<Call> CALLS = new ArrayList<>();
    private static final Map<String, Object> RESULTS = new HashMap<>();

    private VendorCalls() {}

    /** Forgets everything. Call it before each test. */
    public static synchronized void clear() {
        CALLS.clear();
        RESULTS.clear();
    }

    /** Sets the result of a method. An exception is thrown. */
    public static synchronized void setResult(String method, Object result) {
        RESULTS.put(method, result);
    }

    public static synchronized List<Call> of(String method) {
        List<Call> found = new ArrayList<>();
        for (Call call : CALLS) if (call.method.equals(method)) found.add(call);
        return found;
    }

    /** Returns the names of the methods, in the order of their calls. */
    public static synchronized List<String> methods() {
        List<String> methods = new ArrayList<>();
        for (Call call : CALLS) methods.add(call.method);
        return methods;
    }

    /** Returns how many calls there were. */
    public static synchronized int count() {
        return CALLS.size();
    }

    public static void record(String method, Object... arguments) {
        recordWithResult(method, null, arguments);
    }

    /** Returns the result that the test has set, or the default. */
    @SuppressWarnings("unchecked")
    public static <T> T recordWithResult(String method, T defaultResult, Object... arguments) {
        Object result;
        synchronized (VendorCalls.class) {
            CALLS.add(new Call(method, arguments));
            result = RESULTS.containsKey(method) ? RESULTS.get(method) : defaultResult;
        }
        if (result instanceof Throwable) VendorCalls.<RuntimeException>rethrow((Throwable) result);
        return (T) result;
    }

    /** Throws an exception as it is. The compiler does not see that it can be a checked one. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable error) throws E {
        throw (E) error;
    }
}
