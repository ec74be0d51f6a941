package dev.weir.control.configuration;

import dev.weir.policy.ListedClient;
import dev.weir.policy.config.OtherTable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Clients on a list, as documents: {@code client}, {@code reason} and {@code until}; and as tables
 * of TOML, which have {@code ip}, {@code user} or {@code key} in place of the client.
 */
final class ClientDocuments {
  private static final String CLIENT = "client";
  private static final String REASON = "reason";
  private static final String UNTIL = "until";
  private static final Set<String> KEYS = Set.of(CLIENT, REASON, UNTIL);
  private static final List<String> KINDS = List.of("ip", "user", "key");

  /** The last that every database has room for. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private ClientDocuments() {}

  /**
   * What a document says.
   *
   * @param report is told what is wrong, by key and problem
   * @return null if something is wrong
   */
  static @Nullable ListedClient read(
      Map<String, Object> document, BiConsumer<String, String> report) {
    Flaws flaws = new Flaws(report);
    for (String key : new TreeSet<>(document.keySet())) {
      if (!KEYS.contains(key)) {
        flaws.report(key, "is unknown; there are client, reason and until");
      }
    }
    if (!document.containsKey(CLIENT)) {
      flaws.report(CLIENT, "is missing; write user:<id>, key:<id> or ip:<address or range>");
    }
    String client = flaws.text(document, CLIENT);
    ListedClient listed = listed(flaws, CLIENT, client == null ? "user:none" : client, document);
    return flaws.isAny ? null : listed;
  }

  private static @Nullable ListedClient listed(
      Flaws flaws, String key, String client, Map<String, Object> values) {
    String reason = flaws.text(values, REASON);
    Instant until = until(flaws, flaws.text(values, UNTIL));
    try {
      return new ListedClient(client, reason == null ? "" : reason, until);
    } catch (IllegalArgumentException wrong) {
      flaws.report(key, String.valueOf(wrong.getMessage()).replaceFirst("^client ", ""));
      return null;
    }
  }

  private static @Nullable Instant until(Flaws flaws, @Nullable String text) {
    try {
      Instant until =
          text == null
              ? null
              : OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
      if (until == null || (!until.isBefore(Instant.EPOCH) && !until.isAfter(LAST))) {
        return until;
      }
    } catch (DateTimeException wrong) {
      // As the others.
    }
    flaws.report(UNTIL, "must be a time such as 2026-12-01T00:00:00Z, got \"%s\"".formatted(text));
    return null;
  }

  /** What a table of TOML says: as many clients as it names. */
  static List<ListedClient> read(OtherTable table) {
    Set<String> keys = new TreeSet<>(KINDS);
    keys.add(REASON);
    keys.add(UNTIL);
    table.requireOnly(keys);
    Flaws flaws = new Flaws(table::report);
    List<ListedClient> clients = new ArrayList<>();
    boolean isEmpty = true;
    for (String kind : KINDS) {
      for (Object value : several(table.values().get(kind))) {
        isEmpty = false;
        if (value instanceof String name) {
          ListedClient client = listed(flaws, kind, kind + ":" + name, table.values());
          clients.addAll(client == null ? List.of() : List.of(client));
        } else {
          flaws.report(kind, "must be a string or an array of strings, got " + value);
        }
      }
    }
    if (isEmpty) {
      table.report("ip", "is missing; there must be ip, user or key");
    }
    return clients;
  }

  private static List<?> several(@Nullable Object value) {
    return value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
  }

  /** The document of a client. */
  static Map<String, Object> document(ListedClient client) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put(CLIENT, client.client());
    document.put(REASON, client.reason());
    if (client.until() != null) {
      document.put(UNTIL, client.until().toString());
    }
    return document;
  }

  /** The table of TOML that says what a document does. */
  static Map<String, Object> table(Map<String, Object> document) {
    String client = String.valueOf(document.get(CLIENT));
    int colon = client.indexOf(':');
    Map<String, Object> table = new LinkedHashMap<>();
    table.put(client.substring(0, colon), client.substring(colon + 1));
    if (document.get(REASON) instanceof String reason && !reason.isEmpty()) {
      table.put(REASON, reason);
    }
    Columns.putIfThere(table, UNTIL, document.get(UNTIL));
    return table;
  }

  /** Remembers whether anything was wrong. */
  private static final class Flaws {
    private final BiConsumer<String, String> report;
    private boolean isAny;

    Flaws(BiConsumer<String, String> report) {
      this.report = report;
    }

    void report(String key, String problem) {
      isAny = true;
      report.accept(key, problem);
    }

    /** A text; null if there is none, or something else, which is reported. */
    @Nullable String text(Map<String, Object> values, String key) {
      Object value = values.get(key);
      if (value == null || value instanceof String) {
        return (String) value;
      }
      report(key, "must be a string, got " + value);
      return null;
    }
  }
}
