package dev.weir.conformance;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of a request.
 *
 * @param entries what the request is told apart by, in order
 * @param hits its own hits, or null where the request's hold
 * @param isNegative whether the hits are given back
 * @param override the limit that the caller brings along, if it does
 */
record Descriptor(
    List<Entry> entries, @Nullable Long hits, boolean isNegative, @Nullable Rate override) {

  /** A key with its value. */
  record Entry(String key, String value) {}

  @Override
  public String toString() {
    String text =
        entries.stream()
            .map(entry -> entry.key + "=" + entry.value)
            .collect(Collectors.joining(", ", "(", ")"));
    if (hits != null) {
      text += " hits " + hits;
    }
    if (isNegative) {
      text += " negative";
    }
    if (override != null) {
      text += " limit " + override;
    }
    return text;
  }
}
