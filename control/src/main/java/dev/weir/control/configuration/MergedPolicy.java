package dev.weir.control.configuration;

import dev.weir.policy.Endpoint;
import dev.weir.policy.ListedClient;
import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What comes of the file and the database together.
 *
 * @param version of what is in the database
 * @param policy with the tiers, endpoints and rules of both
 * @param blocks clients of the database that are refused
 * @param exemptions clients of the database that are never counted, besides those of the policy
 * @param warnings what is not wrong, but perhaps not what was meant
 */
public record MergedPolicy(
    long version,
    PolicyDefinition policy,
    List<ListedClient> blocks,
    List<ListedClient> exemptions,
    List<String> warnings) {
  public MergedPolicy {
    blocks = List.copyOf(blocks);
    exemptions = List.copyOf(exemptions);
    warnings = List.copyOf(warnings);
  }

  /**
   * Merges both.
   *
   * @throws ConfigException with all mistakes, each with the place of its entry
   */
  static MergedPolicy of(PolicyDefinition file, StoredConfiguration stored, EntryReader reader) {
    Map<String, Object> meanings = reader.read(stored.entries(), file.defaultLimit());
    List<Tier> tiers = new ArrayList<>(file.tiers());
    List<Endpoint> endpoints = new ArrayList<>(file.endpoints());
    List<Rule> rules = new ArrayList<>(file.rules());
    List<ListedClient> blocks = new ArrayList<>();
    List<ListedClient> exemptions = new ArrayList<>();
    for (Entry entry : stored.entries()) {
      Object meaning = meanings.get(entry.subject());
      switch (entry.kind()) {
        case TIER -> tiers.add((Tier) meaning);
        case ENDPOINT -> endpoints.add((Endpoint) meaning);
        case RULE -> rules.add((Rule) meaning);
        case BLOCK -> blocks.add((ListedClient) meaning);
        case EXEMPTION -> exemptions.add((ListedClient) meaning);
      }
    }
    List<String> warnings = new ArrayList<>();
    requireNames(file, stored, meanings, warnings);
    PolicyDefinition policy =
        new PolicyDefinition(
            file.isEnabled(),
            file.defaultTier(),
            file.defaultLimit(),
            tiers,
            endpoints,
            rules,
            file.penalty(),
            file.exempt(),
            file.unknownClients(),
            file.failureMode(),
            file.localNodes());
    return new MergedPolicy(stored.version(), policy, blocks, exemptions, warnings);
  }

  /** Names are there once, and what rules refer to is there. */
  private static void requireNames(
      PolicyDefinition file,
      StoredConfiguration stored,
      Map<String, Object> meanings,
      List<String> warnings) {
    Set<String> ofFile = FileEntries.subjects(file);
    Set<String> all = new HashSet<>(ofFile);
    stored.entries().forEach(entry -> all.add(entry.subject()));
    List<Mistake> mistakes = new ArrayList<>();
    for (Entry entry : stored.entries()) {
      if (!entry.kind().isListed() && ofFile.contains(entry.subject())) {
        mistakes.add(
            new Mistake(
                entry.place(),
                "name",
                "must be new, but %s \"%s\" is in the file"
                    .formatted(entry.kind().word(), entry.name())));
      }
      if (meanings.get(entry.subject()) instanceof Rule rule) {
        requireEndpoints(entry, rule, all, mistakes);
        warnOfTiers(entry, rule, all, warnings);
      }
    }
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
  }

  private static void requireEndpoints(
      Entry entry, Rule rule, Set<String> subjects, List<Mistake> mistakes) {
    for (String endpoint : rule.match().endpoints()) {
      boolean isThere =
          endpoint.equals(Endpoint.OTHER)
              || subjects.contains(EntryKind.ENDPOINT.subject(endpoint));
      if (!isThere) {
        mistakes.add(
            new Mistake(
                entry.place(),
                "match.endpoint",
                "must be the name of an endpoint, got \"%s\"".formatted(endpoint)));
      }
    }
  }

  private static void warnOfTiers(
      Entry entry, Rule rule, Set<String> subjects, List<String> warnings) {
    for (String tier : rule.match().tiers()) {
      if (!subjects.contains(EntryKind.TIER.subject(tier))) {
        warnings.add(
            "%s: match.tier: \"%s\" is not defined; it holds for clients whose token or key says so"
                .formatted(entry.place(), tier));
      }
    }
  }

  /** Names what the policy says; it is compiled for that. */
  public String policyVersion() {
    return Policy.compile(policy).version();
  }
}
