package dev.weir.control.configuration;

import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Flaw;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.policy.ListedClient;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rules, tiers, endpoints, blocks and exemptions, one by one. Those of the file are listed too, and
 * cannot be changed here. Thread-safe.
 *
 * <p>Every change is tried as a whole in its transaction: what is stored then must, together with
 * the file, be a policy without mistakes; else nothing is done.
 */
public final class ConfigurationStore {
  private final Database database;
  private final Changes changes;
  private final Supplier<PolicyDefinition> file;
  private final EntryReader reader = new EntryReader();

  /**
   * A store.
   *
   * @param file what the file says at the moment
   */
  public ConfigurationStore(Database database, Changes changes, Supplier<PolicyDefinition> file) {
    this.database = database;
    this.changes = changes;
    this.file = file;
  }

  /** All of a kind, by name, of the file and of the database. */
  public List<Entry> list(EntryKind kind) {
    List<Entry> entries = new ArrayList<>(FileEntries.of(file.get(), kind));
    entries.addAll(database.inTransaction("read from", handle -> new Rows(handle).all(kind)));
    entries.sort(Comparator.comparing(Entry::name));
    return entries;
  }

  /**
   * One of them.
   *
   * @throws ChangeRefused if there is none of that name
   */
  public Entry get(EntryKind kind, String name) {
    String canonical = canonical(kind, name);
    for (Entry entry : FileEntries.of(file.get(), kind)) {
      if (entry.name().equals(canonical)) {
        return entry;
      }
    }
    return database
        .inTransaction("read from", handle -> new Rows(handle).find(kind, canonical))
        .orElseThrow(() -> notFound(kind, name));
  }

  /**
   * Makes a change.
   *
   * @param actor who wants it
   * @throws ChangeRefused with all that is wrong with it
   */
  public Edit.Outcome make(String actor, Edit edit) {
    Change change = change(edit);
    return changes.make(actor, (handle, acts) -> apply(handle, acts, actor, change));
  }

  /** Finds out what a change would do; nothing of it stays. */
  public Edit.Outcome tryOut(String actor, Edit edit) {
    Change change = change(edit);
    return changes.tryOut(actor, (handle, acts) -> apply(handle, acts, actor, change));
  }

  /** Makes a new entry. */
  public Entry create(String actor, EntryKind kind, Map<String, Object> document) {
    return Objects.requireNonNull(make(actor, new Edit.Create(kind, document)).entry());
  }

  /** Makes an entry say something else, if it still has that version; null: whatever it has. */
  public Entry update(
      String actor,
      EntryKind kind,
      String name,
      Map<String, Object> document,
      @Nullable Long version) {
    Edit edit = new Edit.Update(kind, name, document, version);
    return Objects.requireNonNull(make(actor, edit).entry());
  }

  /** Removes an entry, if it still has that version; null: whatever it has. */
  public void delete(String actor, EntryKind kind, String name, @Nullable Long version) {
    make(actor, new Edit.Delete(kind, name, version));
  }

  /**
   * What an edit is about.
   *
   * @param columns what is to be written; nothing to remove
   */
  private record Draft(String name, Map<String, @Nullable Object> columns) {}

  /**
   * An edit and what it is about.
   *
   * @param draft null: of a patch that is known only when the entry is read
   */
  private record Change(Edit edit, @Nullable Draft draft) {}

  private Change change(Edit edit) {
    return new Change(edit, edit instanceof Edit.Patch ? null : draft(edit));
  }

  /** Finds out what an edit says, before anybody has to wait for it. */
  private Draft draft(Edit edit) {
    if (edit instanceof Edit.Delete delete) {
      return new Draft(canonical(edit.kind(), delete.name()), Map.of());
    }
    if (edit instanceof Edit.Update update) {
      return draft(edit.kind(), update.name(), update.document());
    }
    if (edit instanceof Edit.Put put) {
      return draft(edit.kind(), put.name(), put.document());
    }
    return draft(edit.kind(), ((Edit.Create) edit).document());
  }

  /** Of a document that need not say the name. */
  private Draft draft(EntryKind kind, String name, Map<String, Object> document) {
    String canonical = canonical(kind, name);
    Map<String, Object> whole = new LinkedHashMap<>(document);
    whole.putIfAbsent(kind.nameKey(), canonical);
    Draft draft = draft(kind, whole);
    if (!draft.name.equals(canonical)) {
      throw new ChangeRefused(
          Kind.INVALID,
          kind.nameKey(),
          "must be \"%s\", since it cannot be changed, got \"%s\""
              .formatted(canonical, draft.name));
    }
    return draft;
  }

  private Draft draft(EntryKind kind, Map<String, Object> document) {
    Documents.require(document);
    String name = document.get(kind.nameKey()) instanceof String text ? text : "";
    Entry entry = new Entry(kind, name, document, null);
    try {
      Object meaning =
          Objects.requireNonNull(
              EntryReader.readNew(List.of(entry), file.get().defaultLimit()).get(entry.subject()));
      Map<String, @Nullable Object> columns = kind.columns().of(meaning, document);
      return new Draft(String.valueOf(columns.get(kind.nameColumn())), columns);
    } catch (ConfigException wrong) {
      throw new ChangeRefused(
          Kind.INVALID,
          wrong.mistakes().stream()
              .map(mistake -> new Flaw(mistake.key(), mistake.problem()))
              .toList());
    }
  }

  private Edit.Outcome apply(Handle handle, Acts acts, String actor, Change change) {
    PolicyDefinition ofFile = file.get();
    Rows rows = new Rows(handle);
    Edit edit = change.edit instanceof Edit.Patch patch ? update(rows, ofFile, patch) : change.edit;
    Draft draft = change.draft == null ? draft(edit) : change.draft;
    EntryKind kind = edit.kind();
    String name = draft.name;
    requireNotInFile(ofFile, kind, name);
    Entry before = rows.find(kind, name).orElse(null);
    write(rows, before, actor, edit, draft);
    Entry after = edit instanceof Edit.Delete ? null : rows.find(kind, name).orElseThrow();
    String act = kind.word() + (after == null ? ".delete" : before == null ? ".create" : ".update");
    acts.record(act, kind.subject(name), json(before), json(after));
    return new Edit.Outcome(kind.subject(name), act, after, merged(handle, ofFile, kind, name));
  }

  private static Edit.Update update(Rows rows, PolicyDefinition ofFile, Edit.Patch patch) {
    EntryKind kind = patch.kind();
    String name = canonical(kind, patch.name());
    requireNotInFile(ofFile, kind, name);
    return patch.of(rows.find(kind, name).orElseThrow(() -> notFound(kind, name)).document());
  }

  private static void requireNotInFile(PolicyDefinition ofFile, EntryKind kind, String name) {
    if (FileEntries.subjects(ofFile).contains(kind.subject(name))) {
      throw new ChangeRefused(
          Kind.CONFLICT,
          kind.nameKey(),
          "%s \"%s\" is in the file, and can be changed only there".formatted(kind.word(), name));
    }
  }

  private static void write(
      Rows rows, @Nullable Entry before, String actor, Edit edit, Draft draft) {
    EntryKind kind = edit.kind();
    if (edit instanceof Edit.Create) {
      if (before != null) {
        throw new ChangeRefused(
            Kind.CONFLICT,
            kind.nameKey(),
            "must be new, but there is a %s \"%s\" already".formatted(kind.word(), draft.name));
      }
      rows.insert(kind, draft.columns, actor);
      return;
    }
    if (edit instanceof Edit.Put put) {
      if (before != null && put.isOnlyNew()) {
        throw new ChangeRefused(
            Kind.PRECONDITION,
            kind.nameKey(),
            "must be new, but there is a %s \"%s\" already".formatted(kind.word(), draft.name));
      }
      if (before == null && put.version() == null) {
        rows.insert(kind, draft.columns, actor);
        return;
      }
    }
    if (before == null || before.row() == null) {
      throw notFound(kind, draft.name);
    }
    ChangeRefused.requireVersion(before.subject(), before.row().version(), seen(edit));
    if (edit instanceof Edit.Delete) {
      rows.delete(kind, List.of(draft.name));
    } else {
      rows.update(kind, draft.columns, actor);
    }
  }

  private static @Nullable Long seen(Edit edit) {
    if (edit instanceof Edit.Update update) {
      return update.version();
    }
    return edit instanceof Edit.Put put ? put.version() : ((Edit.Delete) edit).version();
  }

  private static @Nullable String json(@Nullable Entry entry) {
    return entry == null ? null : Documents.json(entry.document());
  }

  /** What holds with the change; mistakes that it brings along are the caller's. */
  private MergedPolicy merged(Handle handle, PolicyDefinition ofFile, EntryKind kind, String name) {
    try {
      return MergedPolicy.of(ofFile, StoredConfiguration.read(handle), reader);
    } catch (ConfigException wrong) {
      String place = new Entry(kind, name, Map.of(), null).place();
      List<Flaw> own = new ArrayList<>();
      List<Flaw> ofOthers = new ArrayList<>();
      for (Mistake mistake : wrong.mistakes()) {
        if (mistake.place().equals(place)) {
          own.add(new Flaw(mistake.key(), mistake.problem()));
        } else {
          ofOthers.add(new Flaw("", mistake.toString()));
        }
      }
      throw own.isEmpty()
          ? new ChangeRefused(Kind.CONFLICT, ofOthers)
          : new ChangeRefused(Kind.INVALID, own);
    }
  }

  /** The one way to write a client; other names are as they are. */
  private static String canonical(EntryKind kind, String name) {
    try {
      return kind.isListed() ? new ListedClient(name, "", null).client() : name;
    } catch (IllegalArgumentException nobody) {
      return name;
    }
  }

  private static ChangeRefused notFound(EntryKind kind, String name) {
    return new ChangeRefused(
        Kind.NOT_FOUND, "", "there is no %s \"%s\"".formatted(kind.word(), name));
  }
}
