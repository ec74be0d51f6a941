package dev.weir.policy.config;

import dev.weir.policy.Endpoint;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The names of tiers, endpoints and rules, as far as they are read. */
final class KnownNames {
  private final Map<String, Set<String>> byKind = new HashMap<>();

  /** Names that somebody else has given. */
  private final Map<String, Set<String>> taken;

  /** Whether names may be referred to that nobody here has given. */
  private final boolean isOpen;

  private KnownNames(Map<String, Set<String>> taken, boolean isOpen) {
    this.taken = taken;
    this.isOpen = isOpen;
  }

  /** No names yet, and all that count come. */
  static KnownNames none() {
    return new KnownNames(Map.of(), false);
  }

  /** No names yet, and some that count are unknown here. */
  static KnownNames open() {
    return new KnownNames(Map.of(), true);
  }

  /** The names of a file, which nobody else may give. */
  static KnownNames of(PolicyDefinition file) {
    return new KnownNames(
        Map.of(
            "tier", set(file.tiers().stream().map(Tier::name).toList()),
            "endpoint", set(file.endpoints().stream().map(Endpoint::name).toList()),
            "rule", set(file.rules().stream().map(Rule::name).toList())),
        false);
  }

  private static Set<String> set(List<String> names) {
    return names.stream().collect(Collectors.toUnmodifiableSet());
  }

  /** Gives a name; returns what is wrong with it, or an empty text. */
  String add(String kind, String name) {
    if (taken.getOrDefault(kind, Set.of()).contains(name)) {
      return "must be new, but %s \"%s\" is in the file".formatted(kind, name);
    }
    boolean isNew = byKind.computeIfAbsent(kind, missing -> new TreeSet<>()).add(name);
    return isNew ? "" : "must be unique, got \"" + name + "\" twice";
  }

  /** Whether a name may be referred to. */
  boolean has(String kind, String name) {
    return isOpen
        || byKind.getOrDefault(kind, Set.of()).contains(name)
        || taken.getOrDefault(kind, Set.of()).contains(name);
  }

  /** All names of a kind, in their order. */
  Set<String> of(String kind) {
    Set<String> all = new TreeSet<>(byKind.getOrDefault(kind, Set.of()));
    all.addAll(taken.getOrDefault(kind, Set.of()));
    return all;
  }
}
