package dev.weir.control.configuration;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule, a tier, an endpoint, a block or an exemption.
 *
 * @param kind which of them
 * @param name its name; of a block or an exemption the client
 * @param document what it says, with the keys of {@code weir.toml}: strings, {@code Long}s,
 *     booleans, lists and maps. Of a block or an exemption {@code client}, {@code reason} and
 *     {@code until}
 * @param row its row; null if it is from the file, which nobody can change here
 */
public record Entry(EntryKind kind, String name, Map<String, Object> document, @Nullable Row row) {

  /**
   * What the database knows besides.
   *
   * @param version counts its changes, from 1
   * @param createdAt when it was made
   * @param createdBy by whom; null: by hand
   * @param updatedAt when it was changed last
   * @param updatedBy by whom; null: by hand
   */
  public record Row(
      long version,
      Instant createdAt,
      @Nullable String createdBy,
      Instant updatedAt,
      @Nullable String updatedBy) {}

  public Entry {
    document = Documents.copyOf(document);
  }

  /** Whether it is from the file. */
  public boolean isOfFile() {
    return row == null;
  }

  /** Such as {@code rule:api_v1}. */
  public String subject() {
    return kind.subject(name);
  }

  /** Where it is, for messages: {@code rate_limit_rules "api_v1"}. */
  String place() {
    return "%s \"%s\"".formatted(kind.table(), name);
  }
}
