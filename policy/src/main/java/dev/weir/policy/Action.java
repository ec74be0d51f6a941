package dev.weir.policy;

/** What a rule does with a request that it matches. */
public enum Action {
  /** Lets it pass uncounted and ends the walk. */
  ALLOW("allow"),
  /** Refuses it and ends the walk. */
  BLOCK("block"),
  /** Adds limits. */
  THROTTLE("throttle");

  private final String text;

  Action(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
