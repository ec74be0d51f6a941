package dev.weir;

/** How a limit counts, under the name that limit texts, configuration and answers use. */
public enum Algorithm {
  TOKEN_BUCKET("token_bucket"),
  FIXED_WINDOW("fixed_window"),
  SLIDING_WINDOW("sliding_window"),
  SLIDING_LOG("sliding_log");

  private final String text;

  Algorithm(String text) {
    this.text = text;
  }

  /** The name in texts, for example {@code token_bucket}. */
  @Override
  public String toString() {
    return text;
  }
}
