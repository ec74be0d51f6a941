package dev.weir.control.keys;

/** A key that was just made. The one moment in which its secret can be had. */
public final class NewKey {
  private final KeyRow row;
  private final KeyText text;

  NewKey(KeyRow row, KeyText text) {
    this.row = row;
    this.text = text;
  }

  /** What is known of it from now on. */
  public KeyRow row() {
    return row;
  }

  /** The key itself, to be shown to its holder once and kept nowhere. */
  public String key() {
    return text.whole();
  }

  /** Does not tell the secret. */
  @Override
  public String toString() {
    return text.toString();
  }
}
