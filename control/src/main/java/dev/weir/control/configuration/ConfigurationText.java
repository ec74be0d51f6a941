package dev.weir.control.configuration;

import dev.weir.policy.ListedClient;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.OtherTable;
import dev.weir.policy.config.PartsReader;
import dev.weir.policy.config.PolicyParts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A whole configuration as one text: the tables of {@code weir.toml}, and {@code [[block]]}. */
final class ConfigurationText {

  /** An entry that has no row yet, and what it says. */
  record Draft(Entry entry, Object meaning) {}

  /** Finds what is wrong with naming a client once more; an empty text: nothing. */
  interface ClientCheck {
    String problem(EntryKind kind, String client);
  }

  private ConfigurationText() {}

  static String print(List<Entry> entries) {
    TomlText toml = new TomlText();
    print(toml, entries);
    return toml.toString();
  }

  static void print(TomlText toml, List<Entry> entries) {
    for (Entry entry : entries) {
      Map<String, Object> table =
          entry.kind().isListed() ? ClientDocuments.table(entry.document()) : entry.document();
      Documents.printToml(toml, entry.kind().tomlTable(), table);
    }
  }

  /**
   * Reads a text.
   *
   * @param file what it is called in mistakes
   * @param others who reads further tables
   * @throws dev.weir.policy.config.ConfigException with all mistakes
   */
  static List<Draft> read(
      String text,
      String file,
      PartsReader reader,
      ClientCheck check,
      Map<String, Consumer<OtherTable>> others) {
    Map<EntryKind, List<Map<String, Object>>> documents = new HashMap<>();
    List<Draft> clients = new ArrayList<>();
    Set<String> subjects = new HashSet<>();
    Map<String, Consumer<OtherTable>> readers = new LinkedHashMap<>(others);
    for (EntryKind kind : EntryKind.values()) {
      List<Map<String, Object>> ofKind = documents.computeIfAbsent(kind, k -> new ArrayList<>());
      readers.put(
          kind.tomlTable(),
          kind.isListed()
              ? table -> clients.addAll(clients(kind, table, check, subjects))
              : table -> ofKind.add(checked(table)));
    }
    PolicyParts parts = reader.read(text, file, readers);
    List<Draft> drafts = new ArrayList<>();
    add(drafts, EntryKind.TIER, parts.tiers(), documents, tier -> tier.name());
    add(drafts, EntryKind.ENDPOINT, parts.endpoints(), documents, endpoint -> endpoint.name());
    add(drafts, EntryKind.RULE, parts.rules(), documents, rule -> rule.name());
    drafts.addAll(clients);
    return drafts;
  }

  private static Map<String, Object> checked(OtherTable table) {
    Documents.flaws(table.values())
        .forEach(flaw -> table.report(flaw.field().replaceAll("[.\\[].*", ""), flaw.problem()));
    return table.values();
  }

  private static <T> void add(
      List<Draft> drafts,
      EntryKind kind,
      List<T> parts,
      Map<EntryKind, List<Map<String, Object>>> documents,
      Function<T, String> nameOf) {
    List<Map<String, Object>> ofKind = documents.getOrDefault(kind, List.of());
    for (int i = 0; i < parts.size(); i++) {
      T part = parts.get(i);
      drafts.add(new Draft(new Entry(kind, nameOf.apply(part), ofKind.get(i), null), part));
    }
  }

  private static List<Draft> clients(
      EntryKind kind, OtherTable table, ClientCheck check, Set<String> subjects) {
    checked(table);
    List<Draft> drafts = new ArrayList<>();
    for (ListedClient client : ClientDocuments.read(table)) {
      String name = client.client();
      String key = name.substring(0, name.indexOf(':'));
      String problem = check.problem(kind, name);
      if (!problem.isEmpty()) {
        table.report(key, problem);
      } else if (!subjects.add(kind.subject(name))) {
        table.report(key, "must be unique, got \"%s\" twice".formatted(name));
      } else {
        drafts.add(
            new Draft(new Entry(kind, name, ClientDocuments.document(client), null), client));
      }
    }
    return drafts;
  }
}
