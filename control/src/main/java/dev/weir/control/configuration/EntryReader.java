package dev.weir.control.configuration;

import dev.weir.Limit;
import dev.weir.policy.ListedClient;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import dev.weir.policy.config.PartsReader;
import dev.weir.policy.config.PolicyParts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what entries say, by the code that reads {@code weir.toml}. Remembers it, so that of
 * many entries only those are read that have changed. Thread-safe.
 */
final class EntryReader {
  private static final Pattern KEY =
      Pattern.compile("([a-z]+)\\[([0-9]+)\\]\\.(.*)", Pattern.DOTALL);

  private @Nullable Limit defaultLimit;
  private Map<Key, Object> known = Map.of();

  private record Key(EntryKind kind, Map<String, Object> document) {}

  /**
   * What each entry says: a {@code Tier}, {@code Endpoint}, {@code Rule} or {@code ListedClient}.
   *
   * @return by subject, in the order of the entries
   * @throws ConfigException with all mistakes, each with the place of its entry
   */
  synchronized Map<String, Object> read(Collection<Entry> entries, Limit defaultLimit) {
    Map<Key, Object> before = defaultLimit.equals(this.defaultLimit) ? known : Map.of();
    List<Entry> unknown =
        entries.stream()
            .filter(entry -> !before.containsKey(new Key(entry.kind(), entry.document())))
            .toList();
    Map<String, Object> found = readNew(unknown, defaultLimit);
    Map<Key, Object> after = new HashMap<>();
    Map<String, Object> meanings = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Key key = new Key(entry.kind(), entry.document());
      Object meaning = before.get(key);
      meaning = meaning == null ? found.get(entry.subject()) : meaning;
      if (meaning != null) {
        after.put(key, meaning);
        meanings.put(entry.subject(), meaning);
      }
    }
    this.known = after;
    this.defaultLimit = defaultLimit;
    return meanings;
  }

  /** What entries say that nothing is known of. */
  static Map<String, Object> readNew(Collection<Entry> entries, Limit defaultLimit) {
    Map<EntryKind, List<Entry>> byKind = new EnumMap<>(EntryKind.class);
    for (EntryKind kind : EntryKind.values()) {
      byKind.put(kind, entries.stream().filter(entry -> entry.kind() == kind).toList());
    }
    Map<String, Object> meanings = new HashMap<>();
    List<Mistake> mistakes = new ArrayList<>();
    try {
      PolicyParts parts = PartsReader.alone(defaultLimit).read(text(byKind), "", Map.of());
      put(meanings, byKind, EntryKind.TIER, parts.tiers());
      put(meanings, byKind, EntryKind.ENDPOINT, parts.endpoints());
      put(meanings, byKind, EntryKind.RULE, parts.rules());
    } catch (ConfigException wrong) {
      wrong.mistakes().forEach(mistake -> mistakes.add(placed(mistake, byKind)));
    }
    for (Entry entry : entries) {
      if (entry.kind().isListed()) {
        ListedClient client =
            ClientDocuments.read(
                entry.document(),
                (key, problem) -> mistakes.add(new Mistake(entry.place(), key, problem)));
        if (client != null) {
          meanings.put(entry.subject(), client);
        }
      }
    }
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return meanings;
  }

  private static String text(Map<EntryKind, List<Entry>> byKind) {
    TomlText toml = new TomlText();
    byKind.forEach(
        (kind, entries) -> {
          if (!kind.isListed()) {
            entries.forEach(entry -> Documents.printToml(toml, kind.tomlTable(), entry.document()));
          }
        });
    return toml.toString();
  }

  private static void put(
      Map<String, Object> meanings,
      Map<EntryKind, List<Entry>> byKind,
      EntryKind kind,
      List<?> parts) {
    List<Entry> entries = byKind.getOrDefault(kind, List.of());
    for (int i = 0; i < entries.size(); i++) {
      meanings.put(entries.get(i).subject(), parts.get(i));
    }
  }

  /** Nobody has seen the text: what counts is which entry it was, and which of its fields. */
  private static Mistake placed(Mistake mistake, Map<EntryKind, List<Entry>> byKind) {
    Matcher key = KEY.matcher(mistake.key());
    if (key.matches()) {
      for (Map.Entry<EntryKind, List<Entry>> each : byKind.entrySet()) {
        if (each.getKey().tomlTable().equals(key.group(1))) {
          Entry entry = each.getValue().get(Integer.parseInt(key.group(2)));
          String field = element(entry.document(), key.group(3), mistake.problem());
          return new Mistake(entry.place(), field, mistake.problem());
        }
      }
    }
    return new Mistake("configuration", mistake.key(), mistake.problem());
  }

  /** Lists are complained about as a whole: the element that is meant is the first in the words. */
  private static String element(Map<String, Object> document, String field, String problem) {
    Object value = document;
    for (String key : field.split("\\.", -1)) {
      value = value instanceof Map<?, ?> map ? map.get(key) : null;
    }
    List<?> list = value instanceof List<?> several ? several : List.of();
    String meant = "";
    int start = problem.length();
    for (Object element : list) {
      int at = element instanceof String text ? problem.indexOf(text) : -1;
      boolean isLonger = at == start && element.toString().length() > meant.length();
      if (at >= 0 && (at < start || isLonger)) {
        meant = element.toString();
        start = at;
      }
    }
    return meant.isEmpty() ? field : field + "[" + list.indexOf(meant) + "]";
  }
}
