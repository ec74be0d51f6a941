package dev.weir.control.configuration;

import dev.weir.policy.ClientSet;
import dev.weir.policy.Endpoint;
import dev.weir.policy.ListedClient;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the file configures, as entries that nobody can change. */
final class FileEntries {
  private FileEntries() {}

  /** Those of one kind. */
  static List<Entry> of(PolicyDefinition file, EntryKind kind) {
    List<Entry> entries = new ArrayList<>();
    switch (kind) {
      case TIER -> file.tiers().forEach(tier -> entries.add(entry(kind, tier.name(), tier)));
      case ENDPOINT ->
          file.endpoints().forEach(each -> entries.add(entry(kind, each.name(), each)));
      case RULE -> file.rules().forEach(rule -> entries.add(entry(kind, rule.name(), rule)));
      case EXEMPTION ->
          exempt(file.exempt()).forEach(client -> entries.add(entry(kind, client, listed(client))));
      case BLOCK -> {
        // The file has none.
      }
    }
    return entries;
  }

  private static Entry entry(EntryKind kind, String name, Object meaning) {
    // A tier of the file has a limit, whether it is written there or follows from another.
    Map<String, Object> given = Map.of("limit", "");
    return new Entry(kind, name, kind.columns().document(kind.columns().of(meaning, given)), null);
  }

  private static ListedClient listed(String client) {
    return new ListedClient(client, "", null);
  }

  private static List<String> exempt(ClientSet exempt) {
    List<String> clients = new ArrayList<>();
    exempt.ips().forEach(ip -> clients.add("ip:" + ip));
    exempt.users().forEach(user -> clients.add("user:" + user));
    exempt.keys().forEach(key -> clients.add("key:" + key));
    return clients;
  }

  /** The subjects of all of them. */
  static Set<String> subjects(PolicyDefinition file) {
    Set<String> subjects = new HashSet<>();
    for (Tier tier : file.tiers()) {
      subjects.add(EntryKind.TIER.subject(tier.name()));
    }
    for (Endpoint endpoint : file.endpoints()) {
      subjects.add(EntryKind.ENDPOINT.subject(endpoint.name()));
    }
    for (Rule rule : file.rules()) {
      subjects.add(EntryKind.RULE.subject(rule.name()));
    }
    exempt(file.exempt()).forEach(client -> subjects.add(EntryKind.EXEMPTION.subject(client)));
    return subjects;
  }
}
