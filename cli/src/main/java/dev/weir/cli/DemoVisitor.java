package dev.weir.cli;

import java.util.function.Consumer;

/** Somebody who sends requests in the demo. Time is that of the demo, in microseconds. */
interface DemoVisitor {
  /** Sends what is sent in the step that begins now. */
  void visit(long nowMicros, long stepMicros, Consumer<DemoRequest> door);

  /** Is told that a request was refused; most do not care. On any thread. */
  default void refused(long nowMicros, long retryAfterSeconds) {}
}
