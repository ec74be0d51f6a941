package dev.weir.redis;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The counters could not be asked, or did not answer in time. Whether the operation took effect is
 * not known unless {@link Kind#isWithoutEffect} says so; it is never tried again.
 */
public final class RedisStoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** What sort of failure it is. */
  public enum Kind {
    /** No answer came in time. */
    TIMEOUT(false),
    /** The connection broke before the answer came. */
    LOST(false),
    /** There is no connection. */
    UNREACHABLE(true),
    /** Redis failed a moment ago and has not answered since; it was not asked. */
    NOT_ASKED(true),
    /** Redis cannot work for the moment: it loads, fails over, or runs a long script. */
    TRANSIENT(true),
    /** Redis refuses to write: it is out of memory or cannot persist. */
    CAPACITY(true),
    /** Redis refuses this client: somebody has to change a setting. */
    CONFIGURATION(true),
    /** The answer cannot be understood. */
    BROKEN_ANSWER(false);

    private final boolean isWithoutEffect;

    Kind(boolean isWithoutEffect) {
      this.isWithoutEffect = isWithoutEffect;
    }

    /** Whether it is sure that nothing was counted. */
    public boolean isWithoutEffect() {
      return isWithoutEffect;
    }
  }

  private final Kind kind;

  RedisStoreException(Kind kind, String message, @Nullable Throwable cause) {
    // Without a stack trace: it would show the client's threads, and there may be many a second.
    super(message, cause, false, false);
    this.kind = kind;
  }

  /** That failure, if it is one of ours; null if there is none. */
  static @Nullable RedisStoreException of(@Nullable Throwable failure) {
    return failure == null || failure instanceof RedisStoreException
        ? (RedisStoreException) failure
        : new RedisStoreException(Kind.BROKEN_ANSWER, "the answer cannot be used", failure);
  }

  /** What sort of failure it is. */
  public Kind kind() {
    return kind;
  }
}
