package dev.weir.control.configuration;

import java.util.List;
import java.util.stream.Stream;

/**
 * What an import changes, by subjects such as {@code rule:api_v1}.
 *
 * @param created what is new
 * @param updated what says something else
 * @param deleted what is gone
 */
public record Differences(List<String> created, List<String> updated, List<String> deleted) {
  /** Nothing. */
  public static final Differences NONE = new Differences(List.of(), List.of(), List.of());

  public Differences {
    created = List.copyOf(created);
    updated = List.copyOf(updated);
    deleted = List.copyOf(deleted);
  }

  /** Whether nothing changes. */
  public boolean isEmpty() {
    return created.isEmpty() && updated.isEmpty() && deleted.isEmpty();
  }

  /** These and others. */
  public Differences and(Differences others) {
    return new Differences(
        both(created, others.created),
        both(updated, others.updated),
        both(deleted, others.deleted));
  }

  private static List<String> both(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}
