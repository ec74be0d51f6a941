package dev.weir.policy;

/** Whether a rule may refuse. */
public enum Mode {
  /** It may. */
  ENFORCE("enforce"),
  /** It is counted, reported and logged, and never refuses. */
  SHADOW("shadow");

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
