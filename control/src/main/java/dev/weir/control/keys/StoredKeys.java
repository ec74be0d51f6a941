package dev.weir.control.keys;

import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.database.Database;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.CacheStatistics;
import dev.weir.control.rows.Columns;
import dev.weir.control.rows.RowCache;
import dev.weir.policy.ApiKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the database as requests know them: from memory, by way of a {@link RowCache}. A text
 * that is no key is told by its form and never looked up. A wrong secret and an id that nobody has
 * cost the same work. Thread-safe.
 */
public final class StoredKeys implements ApiKeys, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(StoredKeys.class.getName());
  private static final String SUBJECT = "key:";

  /** What secrets are compared with where there is no key. */
  private static final Fingerprint NOBODY = KeyText.random().fingerprint();

  private final Database database;
  private final TimeSource time;
  private final RowCache<UUID, Known> cache;

  /** What is kept of a key. */
  private static final class Known {
    final ApiKey key;
    final Fingerprint fingerprint;
    final long expiresMicros;

    /**
     * Of the right secret, once it has been shown. Plain: it is always the same, and who sees only
     * a part of it finds it out the slow way.
     */
    long markHigh;

    long markLow;

    Known(ApiKey key, Fingerprint fingerprint, long expiresMicros) {
      this.key = key;
      this.fingerprint = fingerprint;
      this.expiresMicros = expiresMicros;
    }
  }

  /** The keys of that database; expiry is told by that clock. */
  public StoredKeys(Database database, CacheOptions options, TimeSource time) {
    this.database = database;
    this.time = time;
    this.cache = new RowCache<>("keys", this::read, this::names, options, time);
  }

  @Override
  public @Nullable ApiKey find(String secret) {
    KeyText text = KeyText.parseOrNull(secret);
    if (text == null) {
      return null;
    }
    long nowMicros = time.nowMicros();
    Known known = cache.find(text.id(), nowMicros);
    return isRight(text, known) ? usable(known, nowMicros) : null;
  }

  /** Only a right secret is told by its mark; for all others the work is the same. */
  private static boolean isRight(KeyText text, @Nullable Known known) {
    SecretMark mark = text.mark();
    if (known != null && mark.matches(known.markHigh, known.markLow)) {
      return true;
    }
    boolean isRight = text.fingerprint().matches(known == null ? NOBODY : known.fingerprint);
    if (isRight && known != null) {
      known.markHigh = mark.high();
      known.markLow = mark.low();
    }
    return isRight;
  }

  @Override
  public @Nullable ApiKey named(String id) {
    UUID known = KeyText.idOrNull(id);
    long nowMicros = time.nowMicros();
    return known == null ? null : usable(cache.find(known, nowMicros), nowMicros);
  }

  private static @Nullable ApiKey usable(@Nullable Known known, long nowMicros) {
    return known == null || nowMicros >= known.expiresMicros ? null : known.key;
  }

  @Override
  public @Nullable CompletionStage<?> awaited(String secret) {
    KeyText text = KeyText.parseOrNull(secret);
    return text == null ? null : cache.awaited(text.id(), time.nowMicros());
  }

  @Override
  public @Nullable CompletionStage<?> awaitedNamed(String id) {
    UUID known = KeyText.idOrNull(id);
    return known == null ? null : cache.awaited(known, time.nowMicros());
  }

  /**
   * Reads again what has changed, before it returns. If it cannot be read, what is known holds, and
   * it is tried again every second.
   */
  public void changed(ChangeFeed.Seen seen) {
    List<String> subjects = seen.subjects();
    if (subjects == null) {
      cache.readAll();
      return;
    }
    List<UUID> ids = new ArrayList<>();
    for (String subject : subjects) {
      UUID id =
          subject.startsWith(SUBJECT)
              ? KeyText.idOrNull(subject.substring(SUBJECT.length()))
              : null;
      if (id != null) {
        ids.add(id);
      }
    }
    cache.changed(ids);
  }

  /** Reads all of them, before it returns, as {@link #changed} does. */
  public void readAll() {
    cache.readAll();
  }

  private List<UUID> names(long most) {
    return database.inTransaction(
        "read keys from",
        handle ->
            handle
                .createQuery(
                    "select api_key_id from api_keys where is_active"
                        + " order by last_used_at desc nulls last fetch first :most rows only")
                .bind("most", most)
                .mapTo(UUID.class)
                .list());
  }

  /** How the memory of keys does. */
  public CacheStatistics statistics() {
    return cache.statistics();
  }

  /** Those of these keys that were not revoked. */
  private Map<UUID, Known> read(Collection<UUID> ids) {
    return database.inTransaction(
        "read keys from",
        handle -> {
          Map<UUID, Known> found = new HashMap<>();
          handle
              .createQuery(
                  "select api_key_id, api_key_hash, user_id, key_name, tier, requests_per_second,"
                      + " requests_per_hour, requests_per_day, burst_size, limits, expires_at"
                      + " from api_keys where is_active and api_key_id in (<ids>)")
              .bindList("ids", List.copyOf(ids))
              .map((row, context) -> known(row))
              .forEach(known -> found.put(UUID.fromString(known.key.id()), known));
          return found;
        });
  }

  private static Known known(ResultSet row) throws SQLException {
    String id = row.getObject("api_key_id", UUID.class).toString();
    KeySettings settings = KeyRow.settings(row);
    Instant expires = settings.expiresAt();
    return new Known(
        new ApiKey(id, Columns.text(row, "user_id"), settings.tier(), limits(id, settings)),
        Fingerprint.parse(Columns.text(row, "api_key_hash")),
        expires == null ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, expires));
  }

  /** What was written by hand may be wrong; the key's tier still limits it. */
  private static List<Limit> limits(String id, KeySettings settings) {
    try {
      return settings.ownLimits();
    } catch (ChangeRefused wrong) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "the own limits of key {0} do not hold: {1}",
          id,
          wrong.getMessage());
      return List.of();
    }
  }

  /** Looks nothing up any more. */
  @Override
  public void close() {
    cache.close();
  }
}
