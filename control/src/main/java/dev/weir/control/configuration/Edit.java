package dev.weir.control.configuration;

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
