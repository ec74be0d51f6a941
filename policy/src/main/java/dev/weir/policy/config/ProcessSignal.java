package dev.weir.policy.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * What this process does on a signal, such as SIGHUP, by which operators have it read its
 * configuration again.
 *
 * <p>The JDK has had {@code sun.misc.Signal} for this since its beginning and no other way. It is
 * called by reflection: the compiler warns of the name and cannot be told not to, and a runtime may
 * be built without its module.
 */
public final class ProcessSignal implements AutoCloseable {
  private final Object signal;
  private final Object before;

  private ProcessSignal(Object signal, Object before) {
    this.signal = signal;
    this.before = before;
  }

  /**
   * Runs the task at every such signal, on a thread of its own, until this is closed.
   *
   * @param name of the signal, such as {@code HUP}
   * @throws UnsupportedOperationException if this runtime or system has no such signal
   */
  public static ProcessSignal handledBy(String name, Runnable task) {
    try {
      Object signal = type("sun.misc.Signal").getConstructor(String.class).newInstance(name);
      Class<?> handler = type("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              ProcessSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      task.run();
                      yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "handler of SIG" + name;
                  });
      return new ProcessSignal(signal, install(signal, ours));
    } catch (ReflectiveOperationException | IllegalArgumentException missing) {
      throw new UnsupportedOperationException("SIG" + name + " cannot be handled here", missing);
    }
  }

  private static Object install(Object signal, Object handler) throws ReflectiveOperationException {
    Object before =
        signal
            .getClass()
            .getMethod("handle", signal.getClass(), type("sun.misc.SignalHandler"))
            .invoke(null, signal, handler);
    return Objects.requireNonNull(before, "before");
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name);
  }

  /** Puts back what happened before. */
  @Override
  public void close() {
    try {
      install(signal, before);
    } catch (InvocationTargetException failed) {
      throw new IllegalStateException("the handler of " + signal + " cannot be put back", failed);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("sun.misc.Signal was there before", impossible);
    }
  }
}
