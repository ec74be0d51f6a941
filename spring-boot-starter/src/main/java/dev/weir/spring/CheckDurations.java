package dev.weir.spring;

/** Is told how long checks took. */
@FunctionalInterface
public interface CheckDurations {

  /** A check took that many nanoseconds. */
  void checked(long nanos);
}
