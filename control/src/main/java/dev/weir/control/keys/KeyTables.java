package dev.weir.control.keys;

import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.rows.Columns;
import dev.weir.control.rows.Imported;
import dev.weir.control.rows.TableValues;
import dev.weir.policy.TomlText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Keys in an export, as {@code [[key]]}. With their hashes, so that they work where the export is
 * read: keep it as you keep a backup of the database. Keys that were revoked are not in it.
 */
public final class KeyTables {
  /** The name of the tables. */
  public static final String TABLE = "key";

  private static final Set<String> KEYS =
      Set.of(
          "id",
          "hash",
          "user",
          "name",
          "tier",
          "limits",
          "requests_per_second",
          "requests_per_hour",
          "requests_per_day",
          "burst_size",
          "expires");

  private KeyTables() {}

  /** A key of an import. */
  public static final class Entry {
    private final UUID id;
    private final Fingerprint fingerprint;
    private final String user;
    private final KeySettings settings;

    private Entry(UUID id, Fingerprint fingerprint, String user, KeySettings settings) {
      this.id = id;
      this.fingerprint = fingerprint;
      this.user = user;
      this.settings = settings;
    }

    @Override
    public String toString() {
      return "key:" + id;
    }
  }

  /** Writes all keys that were not revoked, in the order of their ids. */
  public static void print(Handle handle, TomlText toml) {
    handle
        .createQuery("select * from api_keys where is_active order by api_key_id")
        .map(
            (row, context) ->
                new Entry(
                    row.getObject("api_key_id", UUID.class),
                    Fingerprint.parse(Columns.text(row, "api_key_hash")),
                    Columns.text(row, "user_id"),
                    KeyRow.settings(row)))
        .forEach(entry -> print(entry, toml));
  }

  private static void print(Entry entry, TomlText toml) {
    KeySettings settings = entry.settings;
    toml.element(TABLE)
        .put("id", entry.id.toString())
        .put("hash", entry.fingerprint.hex())
        .put("user", entry.user);
    if (settings.name() != null) {
      toml.put("name", settings.name());
    }
    if (settings.tier() != null) {
      toml.put("tier", settings.tier());
    }
    if (!settings.limits().isEmpty()) {
      toml.put("limits", settings.limits());
    }
    putIfGiven(toml, "requests_per_second", settings.requestsPerSecond());
    putIfGiven(toml, "requests_per_hour", settings.requestsPerHour());
    putIfGiven(toml, "requests_per_day", settings.requestsPerDay());
    putIfGiven(toml, "burst_size", settings.burstSize());
    if (settings.expiresAt() != null) {
      toml.put("expires", settings.expiresAt().toString());
    }
  }

  private static void putIfGiven(TomlText toml, String key, @Nullable Long value) {
    if (value != null) {
      toml.put(key, value);
    }
  }

  /**
   * Reads a table.
   *
   * @param values its strings, whole numbers and lists
   * @param report is told what is wrong: the key, and the problem
   * @return null if something is wrong
   */
  public static @Nullable Entry read(Map<String, ?> values, BiConsumer<String, String> report) {
    TableValues table = new TableValues(values, report);
    table.requireOnly(KEYS);
    String idText = table.required("id");
    UUID id = KeyText.idOrNull(idText);
    if (id == null && !idText.isEmpty()) {
      table.report("id", "must be the id of a key, such as 0a0b0c0d-0000-4000-8000-00000000000f");
    }
    String hash = table.required("hash");
    boolean isHash = hash.length() == 64 && hash.chars().allMatch(KeyTables::isHexDigit);
    if (!isHash && !hash.isEmpty()) {
      // What came is not repeated: it might be a secret.
      table.report("hash", "must be a SHA-256 in 64 hexadecimal digits");
    }
    String user = table.required("user");
    KeySettings settings =
        new KeySettings(
            table.text("name"),
            table.text("tier"),
            table.texts("limits"),
            table.number("requests_per_second"),
            table.number("requests_per_hour"),
            table.number("requests_per_day"),
            table.number("burst_size"),
            table.instant("expires"));
    try {
      settings.ownLimits();
    } catch (ChangeRefused wrong) {
      table.report(wrong);
    }
    return id == null || table.isWrong()
        ? null
        : new Entry(id, Fingerprint.parse(hash), user, settings);
  }

  private static boolean isHexDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  /**
   * Makes the database say what was read: keys that are not there are made, those that differ are
   * changed, and those that were not read are revoked.
   *
   * @throws ChangeRefused if a key is there with another secret or of another user, was revoked, or
   *     stands in the import twice
   */
  public static Imported apply(Handle handle, Acts acts, String actor, List<Entry> entries) {
    Imported imported = new Imported();
    Map<UUID, KeyRow> left = active(handle);
    Set<UUID> seen = new HashSet<>();
    for (Entry entry : entries) {
      if (!seen.add(entry.id)) {
        throw conflict(entry, "must stand in an import once");
      }
      KeyRow before = left.remove(entry.id);
      if (before == null) {
        requireNew(handle, entry);
        QuotaStore.ensure(handle, acts, entry.user, actor);
        KeyRows.insert(handle, actor, entry.user, entry.settings, entry.id, entry.fingerprint);
        imported.create(KeyRows.recorded(handle, acts, "key.create", entry.id, null).subject());
      } else if (isChanged(handle, entry, before)) {
        KeyRows.update(handle, actor, entry.id, entry.settings);
        imported.update(KeyRows.recorded(handle, acts, "key.update", entry.id, before).subject());
      }
    }
    for (Map.Entry<UUID, KeyRow> gone : left.entrySet()) {
      KeyRows.revoke(handle, actor, gone.getKey());
      KeyRow revoked = KeyRows.recorded(handle, acts, "key.revoke", gone.getKey(), gone.getValue());
      imported.delete(revoked.subject());
    }
    return imported;
  }

  private static Map<UUID, KeyRow> active(Handle handle) {
    Map<UUID, KeyRow> rows = new LinkedHashMap<>();
    handle
        .createQuery("select * from api_keys where is_active order by api_key_id")
        .map((row, context) -> KeyRow.of(row))
        .forEach(row -> rows.put(UUID.fromString(row.id()), row));
    return rows;
  }

  private static void requireNew(Handle handle, Entry entry) {
    if (KeyRows.read(handle, entry.id) != null) {
      throw conflict(entry, "must not be revoked");
    }
  }

  private static boolean isChanged(Handle handle, Entry entry, KeyRow before) {
    String hash =
        handle
            .createQuery("select api_key_hash from api_keys where api_key_id = :id")
            .bind("id", entry.id)
            .mapTo(String.class)
            .one();
    if (!Fingerprint.parse(hash).matches(entry.fingerprint) || !before.user().equals(entry.user)) {
      throw conflict(entry, "must have the secret and the user that it has");
    }
    return !before.settings().equals(entry.settings);
  }

  private static ChangeRefused conflict(Entry entry, String problem) {
    return new ChangeRefused(ChangeRefused.Kind.CONFLICT, "key", problem + ", got " + entry.id);
  }
}
