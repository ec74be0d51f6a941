package dev.weir.policy;

/** What happens to a request whose counters cannot be reached. */
public enum FailureMode {
  /** It passes. */
  OPEN("open"),
  /** It is refused. */
  CLOSED("closed"),
  /** It is counted in memory, by this instance alone. */
  LOCAL("local");

  private final String text;

  FailureMode(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
