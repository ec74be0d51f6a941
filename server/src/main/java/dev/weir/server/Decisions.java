package dev.weir.server;

import dev.weir.control.ControlPlane;
import dev.weir.policy.Verdict;
import dev.weir.server.metrics.ServerMetrics;
import java.util.List;

/** Is told of decisions that were answered, and tells those who keep account of them. */
final class Decisions {
  private static final System.Logger LOGGER = System.getLogger(Decisions.class.getName());

  private final ServerMetrics metrics;
  private final ControlPlane control;

  Decisions(ServerMetrics metrics, ControlPlane control) {
    this.metrics = metrics;
    this.control = control;
  }

  /** A call that began then has been answered with that decision. */
  void made(Verdict verdict, long startNanos) {
    long nanos = System.nanoTime() - startNanos;
    metrics.checked(nanos);
    tell(verdict, nanos);
  }

  /** Whatever goes wrong with the account, the decision stands. */
  private void tell(Verdict verdict, long nanos) {
    try {
      control.decided(verdict, nanos);
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.ERROR, "a decision was not accounted for", failure);
    }
  }

  /** A call that began then has been answered with all those decisions. */
  void made(List<Verdict> verdicts, long startNanos) {
    long nanos = System.nanoTime() - startNanos;
    metrics.checked(nanos);
    verdicts.forEach(verdict -> tell(verdict, nanos));
  }

  /** A call that began then has been answered without deciding anything. */
  void none(long startNanos) {
    metrics.checked(System.nanoTime() - startNanos);
  }
}
