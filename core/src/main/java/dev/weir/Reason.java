package dev.weir;

/** Why a request passed or did not, under the name that answers and events use. */
public enum Reason {
  /** Every limit had room. */
  WITHIN_LIMITS("within_limits"),
  /** A limit is used up for now. */
  LIMIT_EXCEEDED("limit_exceeded"),
  /** The cost is above a limit's capacity: waiting does not help. */
  COST_EXCEEDS_LIMIT("cost_exceeds_limit"),
  /** A penalty runs. */
  PENALTY("penalty");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
