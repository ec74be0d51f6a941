package dev.weir.control.configuration;

import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Flaw;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.change.Changes;
import dev.weir.control.configuration.ConfigurationText.Draft;
import dev.weir.control.database.Database;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.OtherTable;
import dev.weir.policy.config.PartsReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/**
 * All that is configured in the database as one text, and back. The text has the tables of {@code
 * weir.toml}, {@code [[block]]}, and those that others add. Thread-safe.
 */
public final class ConfigurationExport {
  private final Database database;
  private final Changes changes;
  private final Supplier<PolicyDefinition> file;
  private final List<ExportedTable> others;
  private final EntryReader reader = new EntryReader();

  /**
   * Exports and imports.
   *
   * @param file what the file says at the moment; it is no part of the text
   * @param others further tables
   */
  public ConfigurationExport(
      Database database,
      Changes changes,
      Supplier<PolicyDefinition> file,
      List<ExportedTable> others) {
    this.database = database;
    this.changes = changes;
    this.file = file;
    this.others = List.copyOf(others);
  }

  /** The text, as it is at one moment. */
  public String export() {
    return database.atOneMoment(
        "export from",
        handle -> {
          TomlText toml = new TomlText();
          ConfigurationText.print(toml, StoredConfiguration.read(handle).entries());
          others.forEach(table -> table.export(handle, toml));
          return toml.toString();
        });
  }

  /**
   * Makes the database say what a text does, and nothing else: all of it or nothing.
   *
   * @param actor who wants it
   * @param name what the text is called in mistakes
   * @return what has changed
   * @throws ConfigException with all mistakes of the text, by line and column
   * @throws ChangeRefused if something else stands against it
   */
  public Differences replace(String actor, String text, String name) {
    Incoming incoming = read(text, name);
    try {
      return changes.make(
          actor,
          (handle, acts) -> {
            Differences differences = apply(handle, acts, actor, incoming);
            if (differences.isEmpty()) {
              throw new NothingToDo();
            }
            return differences;
          });
    } catch (NothingToDo same) {
      return Differences.NONE;
    }
  }

  /** Finds out what {@link #replace} would change; nothing of it stays. */
  public Differences tryOut(String actor, String text, String name) {
    Incoming incoming = read(text, name);
    return changes.tryOut(actor, (handle, acts) -> apply(handle, acts, actor, incoming));
  }

  /** Ends a transaction that would leave only a new version. */
  private static final class NothingToDo extends RuntimeException {
    private static final long serialVersionUID = 1;

    NothingToDo() {
      super("nothing to do", null, false, false);
    }
  }

  private record Incoming(List<Draft> drafts, List<ExportedTable.Import> others) {}

  private Incoming read(String text, String name) {
    PolicyDefinition ofFile = file.get();
    Set<String> taken = FileEntries.subjects(ofFile);
    Map<String, Consumer<OtherTable>> readers = new LinkedHashMap<>();
    List<ExportedTable.Import> imports = new ArrayList<>();
    for (ExportedTable table : others) {
      ExportedTable.Import begun = table.begin();
      imports.add(begun);
      readers.put(table.table(), begun::read);
    }
    List<Draft> drafts =
        ConfigurationText.read(
            text,
            name,
            PartsReader.besides(ofFile),
            (kind, client) ->
                taken.contains(kind.subject(client))
                    ? "must be new, but %s \"%s\" is in the file".formatted(kind.word(), client)
                    : "",
            readers);
    return new Incoming(drafts, imports);
  }

  private Differences apply(Handle handle, Acts acts, String actor, Incoming incoming) {
    StoredConfiguration before = StoredConfiguration.read(handle);
    Replacement replacement = new Replacement(before, meanings(before), acts);
    incoming.drafts.forEach(replacement::add);
    Differences differences = replacement.write(new Rows(handle), actor);
    for (ExportedTable.Import table : incoming.others) {
      differences = differences.and(table.apply(handle, acts, actor));
    }
    requireRight(handle);
    return differences;
  }

  /** What entries say; nothing if one has no meaning: then all are replaced. */
  private Map<String, Object> meanings(StoredConfiguration stored) {
    try {
      return reader.read(stored.entries(), file.get().defaultLimit());
    } catch (ConfigException wrong) {
      return Map.of();
    }
  }

  private void requireRight(Handle handle) {
    try {
      MergedPolicy.of(file.get(), StoredConfiguration.read(handle), reader);
    } catch (ConfigException wrong) {
      throw new ChangeRefused(
          Kind.CONFLICT,
          wrong.mistakes().stream().map(mistake -> new Flaw("", mistake.toString())).toList());
    }
  }
}
