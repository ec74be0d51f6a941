package dev.weir.control.database;

import java.time.Duration;

/**
 * How long calls wait for a database before they fail, and how often opening it is retried.
 *
 * <p>A call on a server that is gone or silent fails after about {@code pool} plus {@code answer}.
 * The server gives up a statement before the client gives up the server, so {@code statement}
 * should be less than {@code answer}.
 *
 * @param login for a new connection; the driver rounds it up to whole seconds
 * @param answer for the answer to a short call; the driver rounds it up to whole seconds
 * @param statement after which the server cancels a short statement; for PostgreSQL only
 * @param pool for a connection of the pool, at least 250 ms
 * @param validation for the check whether a connection of the pool still works, at least 250 ms
 * @param retry between two attempts to open the database
 */
public record DatabaseTimeouts(
    Duration login,
    Duration answer,
    Duration statement,
    Duration pool,
    Duration validation,
    Duration retry) {

  private static final Duration LEAST_OF_POOL = Duration.ofMillis(250);

  public DatabaseTimeouts {
    requireAtLeast("login", login, Duration.ofMillis(1));
    requireAtLeast("answer", answer, Duration.ofMillis(1));
    requireAtLeast("statement", statement, Duration.ofMillis(1));
    requireAtLeast("pool", pool, LEAST_OF_POOL);
    requireAtLeast("validation", validation, LEAST_OF_POOL);
    requireAtLeast("retry", retry, Duration.ofMillis(1));
  }

  private static void requireAtLeast(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "%s must be at least %s, got %s".formatted(name, least, value));
    }
  }

  /** The defaults: a call fails within about five seconds. */
  public static DatabaseTimeouts defaults() {
    return new DatabaseTimeouts(
        Duration.ofSeconds(3),
        Duration.ofSeconds(5),
        Duration.ofSeconds(4),
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }
}
