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
import dev.weir.policy.Bookmark;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

  /** Keys by their whole text, secret and all, which was right. */
  private final SeenTexts<Known> shown;

  /** Keys by the texts of their ids; never those of {@link #shown}, which prove something. */
  private final SeenTexts<Known> named;

  /** What is kept of a key. */
  private record Known(
      UUID id, ApiKey key, Fingerprint fingerprint, long expiresMicros, Bookmark row) {}

  /** The keys of that database; expiry is told by that clock. */
  public StoredKeys(Database database, CacheOptions options, TimeSource time) {
    this.database = database;
    this.time = time;
    this.cache = new RowCache<>("keys", this::read, this::names, options, time);
    this.shown = new SeenTexts<>(options.mostEntries());
    this.named = new SeenTexts<>(options.mostEntries());
  }

  @Override
  public @Nullable ApiKey find(String secret) {
    long nowMicros = time.nowMicros();
    Known seen = shown.find(secret);
    return seen != null && isRow(seen, nowMicros)
        ? usable(seen, nowMicros)
        : findAnew(secret, nowMicros);
  }

  /** A wrong secret costs the same work whether there is such a key or not. */
  private @Nullable ApiKey findAnew(String secret, long nowMicros) {
    KeyText text = KeyText.parseOrNull(secret);
    if (text == null) {
      return null;
    }
    Known known = cache.find(text.id(), nowMicros);
    boolean isRight = text.fingerprint().matches(known == null ? NOBODY : known.fingerprint);
    if (known == null || !isRight) {
      return null;
    }
    shown.remember(secret, known);
    return usable(known, nowMicros);
  }

  @Override
  public @Nullable ApiKey named(String id) {
    long nowMicros = time.nowMicros();
    Known seen = named.find(id);
    return seen != null && isRow(seen, nowMicros)
        ? usable(seen, nowMicros)
        : namedAnew(id, nowMicros);
  }

  private @Nullable ApiKey namedAnew(String id, long nowMicros) {
    UUID parsed = KeyText.idOrNull(id);
    Known known = parsed == null ? null : cache.find(parsed, nowMicros);
    if (known == null) {
      return null;
    }
    named.remember(id, known);
    return usable(known, nowMicros);
  }

  /** Whether that is still what the row says. */
  @SuppressWarnings("ReferenceEquality") // One that was read again has not been seen yet.
  private boolean isRow(Known seen, long nowMicros) {
    return cache.find(seen.id, seen.row, nowMicros) == seen;
  }

  private static @Nullable ApiKey usable(Known known, long nowMicros) {
    return nowMicros >= known.expiresMicros ? null : known.key;
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
              .forEach(known -> found.put(known.id, known));
          return found;
        });
  }

  private static Known known(ResultSet row) throws SQLException {
    UUID id = row.getObject("api_key_id", UUID.class);
    KeySettings settings = KeyRow.settings(row);
    Instant expires = settings.expiresAt();
    String name = id.toString();
    return new Known(
        id,
        new ApiKey(name, Columns.text(row, "user_id"), settings.tier(), limits(name, settings)),
        Fingerprint.parse(Columns.text(row, "api_key_hash")),
        expires == null ? Long.MAX_VALUE : micros(expires),
        new Bookmark());
  }

  /** Not by {@code ChronoUnit.MICROS.between}, which overflows in 2262. */
  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
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
