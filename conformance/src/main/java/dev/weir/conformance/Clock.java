package dev.weir.conformance;

import java.nio.file.Path;

/**
 * The clock that the server under test lives by, in seconds since 1970. A suite only ever moves it
 * forward. Implement it to move the clock of a server in the same process.
 */
public interface Clock {

  /** What the clock says. */
  long nowSeconds();

  /** Returns when the clock says at least this. */
  void advanceTo(long seconds);

  /**
   * Whether time passes by itself. On such a clock a case starts anywhere in a window, so that the
   * time until a reset is compared with what is left of the window, and cases that wait for more
   * than a few seconds are skipped.
   */
  default boolean isReal() {
    return false;
  }

  /** The clock of this machine; to move it is to wait. */
  static Clock real() {
    return new RealClock();
  }

  /**
   * A clock that stands still in a file: the time in microseconds since 1970, as digits. The server
   * under test reads it whenever it wants to know the time.
   */
  static Clock file(Path file) {
    return new FileClock(file);
  }
}
