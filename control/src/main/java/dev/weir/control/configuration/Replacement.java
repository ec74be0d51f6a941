package dev.weir.control.configuration;

import dev.weir.control.change.Acts;
import dev.weir.control.configuration.ConfigurationText.Draft;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts other entries in the place of those that are stored; those that say the same stay. */
final class Replacement {
  private final Map<String, Object> meanings;
  private final Acts acts;

  /** Those of before that have not been met yet. */
  private final Map<String, Entry> left = new LinkedHashMap<>();

  private final List<String> created = new ArrayList<>();
  private final List<String> updated = new ArrayList<>();
  private final Map<EntryKind, List<Map<String, @Nullable Object>>> inserts =
      new EnumMap<>(EntryKind.class);
  private final Map<EntryKind, List<Map<String, @Nullable Object>>> updates =
      new EnumMap<>(EntryKind.class);

  /**
   * Nothing is replaced yet.
   *
   * @param meanings what the entries say, by subject, as far as it is known
   * @param acts records what is done
   */
  Replacement(StoredConfiguration before, Map<String, Object> meanings, Acts acts) {
    this.meanings = meanings;
    this.acts = acts;
    before.entries().forEach(entry -> left.put(entry.subject(), entry));
  }

  /** Adds one of those that are to be. */
  void add(Draft draft) {
    Entry next = draft.entry();
    EntryKind kind = next.kind();
    Entry old = left.remove(next.subject());
    if (old != null && isSame(old, draft)) {
      return;
    }
    Map<String, @Nullable Object> columns = kind.columns().of(draft.meaning(), next.document());
    String after = Documents.json(kind.columns().document(columns));
    if (old == null) {
      inserts.computeIfAbsent(kind, none -> new ArrayList<>()).add(columns);
      created.add(next.subject());
      acts.record(kind.word() + ".create", next.subject(), null, after);
    } else {
      updates.computeIfAbsent(kind, none -> new ArrayList<>()).add(columns);
      updated.add(next.subject());
      acts.record(kind.word() + ".update", next.subject(), Documents.json(old.document()), after);
    }
  }

  /** A tier that follows the default limit is not the same as one that has an equal one. */
  private boolean isSame(Entry old, Draft draft) {
    boolean givesLimit = old.document().containsKey("limit");
    return draft.meaning().equals(meanings.get(old.subject()))
        && (old.kind() != EntryKind.TIER
            || givesLimit == draft.entry().document().containsKey("limit"));
  }

  /** Writes all that was added, and removes all others. */
  Differences write(Rows rows, String actor) {
    for (EntryKind kind : EntryKind.values()) {
      List<Entry> gone = left.values().stream().filter(entry -> entry.kind() == kind).toList();
      for (Entry entry : gone) {
        acts.record(
            kind.word() + ".delete", entry.subject(), Documents.json(entry.document()), null);
      }
      rows.delete(kind, gone.stream().map(Entry::name).toList());
      rows.update(kind, updates.getOrDefault(kind, List.of()), actor);
      rows.insert(kind, inserts.getOrDefault(kind, List.of()), actor);
    }
    return new Differences(created, updated, List.copyOf(left.keySet()));
  }
}
