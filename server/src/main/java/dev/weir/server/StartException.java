package dev.weir.server;

/** A server that cannot start; the message says why, in one line, and what to do. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
