package dev.weir.policy;

/** What becomes of a request. */
public enum Outcome {
  /** It passes. */
  ALLOWED("allowed"),
  /** It is refused for now, by a limit or a penalty. */
  THROTTLED("throttled"),
  /** It is refused, whatever the limits say. */
  BLOCKED("blocked");

  private final String text;

  Outcome(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
