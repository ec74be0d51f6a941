package dev.weir.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link RedisCounterStore} works.
 *
 * @param keyPrefix what the names of all keys start with: letters, digits, {@code _}, {@code -},
 *     {@code .} and {@code :}
 * @param commandTimeout how long a decision is waited for, from 1 ms to 60 s
 * @param connectTimeout how long a connection may take, from 1 ms to 60 s
 * @param trustStore whose certificates are trusted with {@code rediss://}; if absent, those that
 *     the JVM trusts
 * @param remembersRefusals whether a refused client that asks again is refused without asking
 *     Redis, until that can change
 */
public record RedisOptions(
    String keyPrefix,
    Duration commandTimeout,
    Duration connectTimeout,
    Optional<TrustStore> trustStore,
    boolean remembersRefusals) {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  public RedisOptions {
    Objects.requireNonNull(keyPrefix, "keyPrefix");
    if (keyPrefix.isEmpty() || !keyPrefix.chars().allMatch(RedisOptions::isPlain)) {
      throw new IllegalArgumentException(
          "keyPrefix must be letters, digits, _, -, . and :, got \"" + keyPrefix + "\"");
    }
    requireTimeout("commandTimeout", commandTimeout);
    requireTimeout("connectTimeout", connectTimeout);
    Objects.requireNonNull(trustStore, "trustStore");
  }

  /**
   * The usual ones: prefix {@code ratelimit}, 25 ms for a decision, 2 s to connect, and refusals
   * are remembered.
   */
  public static RedisOptions defaults() {
    return new RedisOptions(
        "ratelimit", Duration.ofMillis(25), Duration.ofSeconds(2), Optional.empty(), true);
  }

  /** The same with another prefix. */
  public RedisOptions withKeyPrefix(String prefix) {
    return new RedisOptions(prefix, commandTimeout, connectTimeout, trustStore, remembersRefusals);
  }

  /** The same with another time for a decision. */
  public RedisOptions withCommandTimeout(Duration timeout) {
    return new RedisOptions(keyPrefix, timeout, connectTimeout, trustStore, remembersRefusals);
  }

  /** The same with another time to connect. */
  public RedisOptions withConnectTimeout(Duration timeout) {
    return new RedisOptions(keyPrefix, commandTimeout, timeout, trustStore, remembersRefusals);
  }

  /** The same, and every refusal comes from Redis. */
  public RedisOptions withoutRemembering() {
    return new RedisOptions(keyPrefix, commandTimeout, connectTimeout, trustStore, false);
  }

  /** The same with certificates to trust. */
  public RedisOptions withTrustStore(TrustStore store) {
    return new RedisOptions(
        keyPrefix, commandTimeout, connectTimeout, Optional.of(store), remembersRefusals);
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "_-.:".indexOf(c) >= 0;
  }

  private static void requireTimeout(String name, Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " must be between 1ms and 60s, got " + timeout);
    }
  }
}
