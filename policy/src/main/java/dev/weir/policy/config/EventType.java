package dev.weir.policy.config;

/** A kind of event. */
public enum EventType {
  /** A request passed. */
  ALLOWED("allowed"),
  /** A request was refused for now. */
  THROTTLED("throttled"),
  /** A request was refused, whatever the limits say. */
  BLOCKED("blocked"),
  /** The counters could not be reached. */
  BACKEND_ERROR("backend_error");

  private final String text;

  EventType(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
