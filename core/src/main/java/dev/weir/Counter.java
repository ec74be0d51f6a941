package dev.weir;

import java.util.Objects;

/**
 * One count that an operation is about: what is counted, for whom, and by which limit.
 *
 * <p>The count belongs to the name and the key. When the limit changes, the count goes on: what was
 * used stays used.
 *
 * @param name what is counted, for example a rule's name; from configuration, never from a client
 * @param key whom it is counted for; any text
 * @param limit how much is allowed
 */
public record Counter(String name, String key, Limit limit) {
  public Counter {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(limit, "limit");
  }
}
