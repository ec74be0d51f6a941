package dev.weir.http;

import dev.weir.TimeSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys of a JWKS fresh, without anybody waiting for them: every five minutes, and when a
 * key is missing, but for that not more often than every 30 s. When they cannot be had, those from
 * before stay.
 */
final class JwksRefresh implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(JwksRefresh.class.getName());
  private static final long EVERY_MICROS = 300_000_000;
  private static final long SOONEST_MICROS = 30_000_000;

  private final JwksLocation location;
  private final TimeSource time;
  private final Consumer<List<TokenKey>> listener;
  private final AtomicLong triedAtMicros;
  private volatile CompletableFuture<@Nullable Void> latest =
      CompletableFuture.completedFuture(null);
  private volatile boolean isClosed;
  private byte[] known = {};

  JwksRefresh(JwksLocation location, TimeSource time, Consumer<List<TokenKey>> listener) {
    this.location = location;
    this.time = time;
    this.listener = listener;
    this.triedAtMicros = new AtomicLong(time.nowMicros());
  }

  /** Reads the keys, and again and again from now on. */
  void start() {
    CompletableFuture<@Nullable Void> first = read();
    if (location.mustLoadAtStart()) {
      try {
        first.join();
      } catch (CompletionException failed) {
        throw new IllegalArgumentException(
            "jwt_jwks must be a file with a JWKS, got %s (%s)".formatted(location, why(failed)),
            failed);
      }
    } else {
      quietly(first).join();
    }
    time.runAfter(EVERY_MICROS, this::readAgain);
  }

  private void readAgain() {
    if (!isClosed) {
      latest = quietly(read());
      time.runAfter(EVERY_MICROS, this::readAgain);
    }
  }

  /** Says that a key is missing, which may have come since. */
  void want() {
    long now = time.nowMicros();
    long before = triedAtMicros.get();
    if (!isClosed && now - before >= SOONEST_MICROS && triedAtMicros.compareAndSet(before, now)) {
      latest = quietly(read());
    }
  }

  /** Done when the latest attempt is, however it ended. */
  CompletableFuture<@Nullable Void> latest() {
    return latest;
  }

  private CompletableFuture<@Nullable Void> read() {
    triedAtMicros.set(time.nowMicros());
    return location.load().thenAccept(this::take);
  }

  private synchronized void take(byte[] text) {
    if (!Arrays.equals(text, known)) {
      List<TokenKey> keys = Jwks.parse(text);
      known = text;
      listener.accept(keys);
      if (keys.isEmpty()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the JWKS {0} has no RSA or EC key for signatures; no token can be verified by it",
            location);
      }
    }
  }

  private CompletableFuture<@Nullable Void> quietly(CompletableFuture<@Nullable Void> attempt) {
    return attempt.exceptionally(
        failure -> {
          LOGGER.log(
              System.Logger.Level.WARNING,
              "the JWKS {0} could not be read ({1}); the keys from before stay",
              location,
              why(failure));
          return null;
        });
  }

  private static String why(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** Reads no more. */
  @Override
  public void close() {
    isClosed = true;
  }

  @Override
  public String toString() {
    return location.toString();
  }
}
