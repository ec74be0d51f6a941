package dev.weir.control.configuration;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of one entry. */
public sealed interface Edit {

  /** Of what kind the entry is. */
  EntryKind kind();

  /**
   * Makes a new one.
   *
   * @param document what it says, with its name
   */
  record Create(EntryKind kind, Map<String, Object> document) implements Edit {}

  /**
   * Makes one say something else.
   *
   * @param name which one
   * @param document all that it says from then on, with or without its name
   * @param version the one that was seen; null: any
   */
  record Update(EntryKind kind, String name, Map<String, Object> document, @Nullable Long version)
      implements Edit {}

  /**
   * Makes one say something, whether it is there or not.
   *
   * @param name which one
   * @param document all that it says from then on, with or without its name
   * @param version the one that was seen; null: any, and none
   * @param isOnlyNew whether it must not be there yet
   */
  record Put(
      EntryKind kind,
      String name,
      Map<String, Object> document,
      @Nullable Long version,
      boolean isOnlyNew)
      implements Edit {}

  /**
   * Changes a part of one, as a JSON merge patch (RFC 7396).
   *
   * @param name which one
   * @param changes what it says from then on in place of what it said; null removes
   * @param version the one that was seen; null: any
   */
  record Patch(
      EntryKind kind, String name, Map<String, @Nullable Object> changes, @Nullable Long version)
      implements Edit {

    /** The update that this is of an entry that says so much now. */
    Update of(Map<String, Object> document) {
      return new Update(kind, name, merged(document, changes), version);
    }

    private static Map<String, Object> merged(Map<?, ?> document, Map<?, ?> changes) {
      Map<String, Object> merged = new LinkedHashMap<>();
      document.forEach((key, value) -> merged.put(String.valueOf(key), value));
      changes.forEach(
          (name, value) -> {
            String key = String.valueOf(name);
            if (value == null) {
              merged.remove(key);
            } else if (value instanceof Map<?, ?> inside) {
              Object before = merged.get(key);
              merged.put(key, merged(before instanceof Map<?, ?> map ? map : Map.of(), inside));
            } else {
              merged.put(key, value);
            }
          });
      return merged;
    }
  }

  /**
   * Removes one.
   *
   * @param name which one
   * @param version the one that was seen; null: any
   */
  record Delete(EntryKind kind, String name, @Nullable Long version) implements Edit {}

  /**
   * What came of it, or would.
   *
   * @param subject such as {@code rule:api_v1}
   * @param act such as {@code rule.create}
   * @param entry as it is afterwards; null if it was removed
   * @param merged what holds afterwards
   */
  record Outcome(String subject, String act, @Nullable Entry entry, MergedPolicy merged) {
    /** The name of the entry, in the one way to write it. */
    public String name() {
      return subject.substring(subject.indexOf(':') + 1);
    }

    /** Whether it was not there before. */
    public boolean isNew() {
      return act.endsWith(".create");
    }
  }
}
