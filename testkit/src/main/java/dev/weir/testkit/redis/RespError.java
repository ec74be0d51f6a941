package dev.weir.testkit.redis;

/** An error that a Redis server answered, such as {@code NOSCRIPT No matching script}. */
public final class RespError extends RuntimeException {
  private static final long serialVersionUID = 1;

  RespError(String message) {
    super(message);
  }

  /** The first word of the message, such as {@code NOSCRIPT}. */
  public String code() {
    String message = String.valueOf(getMessage());
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }
}
