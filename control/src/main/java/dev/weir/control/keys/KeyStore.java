package dev.weir.control.keys;

import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.rows.Columns;
import dev.weir.control.rows.Page;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code api_keys}. Every change is audited and seen by all instances. Thread-safe; calls
 * wait for the database and throw a {@link dev.weir.control.database.DatabaseException} if it
 * cannot be used.
 */
public final class KeyStore {
  private final Database database;
  private final Changes changes;

  /** The keys in that database. */
  public KeyStore(Database database, Changes changes) {
    this.database = database;
    this.changes = changes;
  }

  /** The same keys, for changes that are validated and not kept. */
  public KeyStore dryRun() {
    return new KeyStore(database, changes.dryRun());
  }

  /**
   * Makes a key. A user who has no row of quotas gets one.
   *
   * @param actor who wants it
   * @throws ChangeRefused if a value is not what it has to be
   */
  public NewKey create(String actor, String user, KeySettings settings) {
    settings.ownLimits();
    KeyText text = KeyText.random();
    KeyRow made =
        changes.make(
            actor,
            (handle, acts) -> {
              QuotaStore.ensure(handle, acts, user, actor);
              KeyRows.insert(handle, actor, user, settings, text.id(), text.fingerprint());
              return KeyRows.recorded(handle, acts, "key.create", text.id(), null);
            });
    return new NewKey(made, text);
  }

  /**
   * A key; null if there is none of that id.
   *
   * @param id as the database shows it, or as it stands in the key
   */
  public @Nullable KeyRow get(String id) {
    UUID known = KeyText.idOrNull(id);
    return known == null
        ? null
        : database.inTransaction("read a key from", handle -> KeyRows.read(handle, known));
  }

  /**
   * A key.
   *
   * @throws ChangeRefused if there is none of that id
   */
  public KeyRow require(String id) {
    KeyRow row = get(id);
    if (row == null) {
      throw notFound();
    }
    return row;
  }

  /**
   * Keys in the order of their ids.
   *
   * @param user whose; null: everybody's
   * @param after what the page before says is next; null: the first page
   * @param size how many at most, up to {@link Page#MOST}
   */
  public Page<KeyRow> list(@Nullable String user, @Nullable String after, int size) {
    Page.requireSize(size);
    UUID start = after == null ? null : KeyText.idOrNull(after);
    if (after != null && start == null) {
      throw new ChangeRefused(
          ChangeRefused.Kind.INVALID,
          "cursor",
          "must be what the page before gave as its next, got \"%s\""
              .formatted(after.substring(0, Math.min(60, after.length()))));
    }
    if (user != null && !Columns.isStorable(user)) {
      return new Page<>(List.of(), null);
    }
    String where =
        (user == null ? "" : " and user_id = :user")
            + (start == null ? "" : " and api_key_id > :start");
    return database.inTransaction(
        "read keys from",
        handle -> {
          var query =
              handle.createQuery(
                  "select "
                      + KeyRows.COLUMNS
                      + " from api_keys where 1 = 1"
                      + where
                      + " order by api_key_id fetch first :size rows only");
          if (user != null) {
            query.bind("user", user);
          }
          if (start != null) {
            query.bind("start", start);
          }
          return Page.of(
              query.bind("size", size + 1).map((row, context) -> KeyRow.of(row)).list(),
              size,
              KeyRow::id);
        });
  }

  /**
   * Ids of keys in whose {@code key:<id>} or name the text is, in whatever case, in their order.
   *
   * @param size how many at most, up to {@link Page#MOST}
   */
  public List<String> idsWith(String text, int size) {
    Page.requireSize(size);
    if (!Columns.isStorable(text)) {
      return List.of();
    }
    return database.inTransaction(
        "look for keys in",
        handle ->
            handle
                .createQuery(
                    "select api_key_id from api_keys where 'key:' || cast(api_key_id as varchar)"
                        + " like :text escape '!' or lower(key_name) like :text escape '!'"
                        + " order by api_key_id fetch first :size rows only")
                .bind("text", Columns.containing(text))
                .bind("size", size)
                .mapTo(String.class)
                .list());
  }

  /**
   * Replaces what is said of a key.
   *
   * @param version the one that the caller has seen; null: any will do
   * @throws ChangeRefused if it is not there, was changed in between or revoked, or if a value is
   *     not what it has to be
   */
  public KeyRow update(String actor, String id, KeySettings settings, @Nullable Long version) {
    return update(actor, id, before -> settings, version);
  }

  /**
   * Changes what is said of a key.
   *
   * @param change of what is said now
   * @param version the one that the caller has seen; null: any will do
   * @throws ChangeRefused as {@link #update(String, String, KeySettings, Long)}
   */
  public KeyRow update(
      String actor, String id, UnaryOperator<KeySettings> change, @Nullable Long version) {
    UUID known = requireId(id);
    return changes.make(
        actor,
        (handle, acts) -> {
          KeyRow before = require(handle, known, version);
          if (!before.isActive()) {
            throw new ChangeRefused(
                ChangeRefused.Kind.CONFLICT, "key", "must not be revoked, got " + before.id());
          }
          KeySettings settings = change.apply(before.settings());
          settings.ownLimits();
          KeyRows.update(handle, actor, known, settings);
          return KeyRows.recorded(handle, acts, "key.update", known, before);
        });
  }

  /**
   * Ends a key for good. One that was revoked before stays as it is.
   *
   * @param version the one that the caller has seen; null: any will do
   * @throws ChangeRefused if it is not there, or was changed in between
   */
  public KeyRow revoke(String actor, String id, @Nullable Long version) {
    UUID known = requireId(id);
    KeyRow now = get(id);
    if (now != null && !now.isActive()) {
      return now;
    }
    return changes.make(
        actor,
        (handle, acts) -> {
          KeyRow before = require(handle, known, version);
          KeyRows.revoke(handle, actor, known);
          return KeyRows.recorded(handle, acts, "key.revoke", known, before);
        });
  }

  private static KeyRow require(Handle handle, UUID id, @Nullable Long version) {
    KeyRow row = KeyRows.read(handle, id);
    if (row == null) {
      throw notFound();
    }
    ChangeRefused.requireVersion(row.subject(), row.version(), version);
    return row;
  }

  private static UUID requireId(String id) {
    UUID known = KeyText.idOrNull(id);
    if (known == null) {
      throw notFound();
    }
    return known;
  }

  /** What came is not repeated: it might be a whole key. */
  private static ChangeRefused notFound() {
    return new ChangeRefused(
        ChangeRefused.Kind.NOT_FOUND, "key", "must be the id of a key; there is none of that id");
  }
}
