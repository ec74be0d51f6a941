package dev.weir.server;

import dev.weir.policy.DecisionHealth;

/**
 * Whether load balancers should send requests here. The state may change while a response is
 * written, so a response must take its status and its text from one value of this type.
 */
enum Readiness {
  READY(200, "ready"),
  /** Decisions are made, but not all of them by the counters. */
  DEGRADED(200, "degraded"),
  NOT_READY(503, "not ready"),
  STOPPING(503, "stopping");

  private final int httpStatus;
  private final String text;

  Readiness(int httpStatus, String text) {
    this.httpStatus = httpStatus;
    this.text = text;
  }

  /**
   * The readiness of a service.
   *
   * @param canDecide whether it can decide with counters in that state
   */
  static Readiness of(boolean isStopping, boolean canDecide, DecisionHealth.State state) {
    if (isStopping) {
      return STOPPING;
    }
    if (!canDecide) {
      return NOT_READY;
    }
    return state == DecisionHealth.State.GOOD ? READY : DEGRADED;
  }

  /** The status of a response that says so. */
  int httpStatus() {
    return httpStatus;
  }

  /** As in responses. */
  @Override
  public String toString() {
    return text;
  }
}
