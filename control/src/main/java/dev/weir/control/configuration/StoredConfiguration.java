package dev.weir.control.configuration;

import dev.weir.control.database.Database;
import dev.weir.policy.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * A picture of all that is configured in the database, at one version.
 *
 * @param version of the configuration
 * @param entries by kind, and then by name
 */
public record StoredConfiguration(long version, List<Entry> entries) {
  /** Nothing, as it is in the beginning. */
  public static final StoredConfiguration EMPTY = new StoredConfiguration(0, List.of());

  public StoredConfiguration {
    entries = List.copyOf(entries);
  }

  /**
   * Reads it, as it is at one moment, with all users who are blocked.
   *
   * @throws ConfigException if a row has no meaning, naming table, row and column
   * @throws dev.weir.control.database.DatabaseException if the database cannot be read
   */
  public static StoredConfiguration read(Database database) {
    return database.atOneMoment(
        "read the configuration from",
        handle -> read(handle).withBlocks(new Rows(handle).blockedUsers()));
  }

  /** With users who are blocked by their own rows, unless a block of theirs has no end. */
  private StoredConfiguration withBlocks(List<Entry> users) {
    if (users.isEmpty()) {
      return this;
    }
    Map<String, Entry> bySubject = new LinkedHashMap<>();
    entries.forEach(entry -> bySubject.put(entry.subject(), entry));
    for (Entry user : users) {
      bySubject.merge(
          user.subject(),
          user,
          (block, own) -> block.document().containsKey("until") ? own : block);
    }
    return new StoredConfiguration(version, List.copyOf(bySubject.values()));
  }

  /** Reads it in a transaction, with what that has changed. */
  static StoredConfiguration read(Handle handle) {
    long version = handle.createQuery("select version from config_version").mapTo(Long.class).one();
    Rows rows = new Rows(handle);
    List<Entry> entries = new ArrayList<>();
    for (EntryKind kind : EntryKind.values()) {
      entries.addAll(rows.all(kind));
    }
    return new StoredConfiguration(version, entries);
  }

  /** Those of one kind, by name. */
  public List<Entry> entries(EntryKind kind) {
    return entries.stream().filter(entry -> entry.kind() == kind).toList();
  }

  /** As tables of {@code weir.toml}, and {@code [[block]]}. */
  public String toToml() {
    return ConfigurationText.print(entries);
  }
}
