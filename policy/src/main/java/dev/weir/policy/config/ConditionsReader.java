package dev.weir.policy.config;

import dev.weir.policy.ApiKeyIds;
import dev.weir.policy.Cidr;
import dev.weir.policy.Conditions;
import dev.weir.policy.Endpoint;
import dev.weir.policy.PathPattern;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the conditions of a rule. */
final class ConditionsReader {
  private static final List<String> LISTS =
      List.of("tier", "endpoint", "path", "method", "ip", "user", "key");

  private static final int LONGEST_METHOD = 64;

  private final KnownNames names;

  /** With the names that are defined. */
  ConditionsReader(KnownNames names) {
    this.names = names;
  }

  Conditions read(Section match) {
    requireValues(match, LISTS);
    Conditions conditions =
        new Conditions(
            tiers(match),
            endpoints(match),
            match.parsedStrings("path", List.of(), PathPattern::parse),
            methods(match, "method"),
            match.parsedStrings("ip", List.of(), Cidr::parse),
            set(match.strings("user", List.of())),
            set(match.parsedStrings("key", List.of(), ApiKeyIds::requireId)),
            headers(match.section("header")));
    match.finish();
    return conditions;
  }

  /** An empty list reads as if nobody were meant, but a rule without the condition means all. */
  private static void requireValues(Section section, Collection<String> keys) {
    for (String key : keys) {
      if (section.isEmptyArray(key)) {
        section.report(key, "must have at least one value; leave the key out to match all");
      }
    }
  }

  private static SortedMap<String, SortedSet<String>> headers(Section fields) {
    requireValues(fields, fields.keys());
    SortedMap<String, SortedSet<String>> headers = new TreeMap<>();
    for (String name : fields.keys()) {
      headers.put(name.toLowerCase(Locale.ROOT), set(fields.strings(name, List.of())));
    }
    return headers;
  }

  private SortedSet<String> endpoints(Section match) {
    SortedSet<String> endpoints = set(match.strings("endpoint", List.of()));
    for (String endpoint : endpoints) {
      if (!endpoint.equals(Endpoint.OTHER) && !names.has("endpoint", endpoint)) {
        match.report(
            "endpoint",
            "must be the name of an endpoint, got \""
                + endpoint
                + "\""
                + Suggestion.of(endpoint, names.of("endpoint")));
      }
    }
    return endpoints;
  }

  private SortedSet<String> tiers(Section match) {
    SortedSet<String> tiers = set(match.strings("tier", List.of()));
    for (String tier : tiers) {
      if (!names.has("tier", tier)) {
        match.warn(
            "tier",
            "\""
                + tier
                + "\" is not defined by this file; it holds for clients whose token or key"
                + " says so"
                + Suggestion.of(tier, names.of("tier")));
      }
    }
    return tiers;
  }

  /** Methods in capitals, GET for HEAD. */
  static SortedSet<String> methods(Section section, String key) {
    return set(section.parsedStrings(key, List.of(), ConditionsReader::method));
  }

  private static String method(String text) {
    if (!HttpToken.isOne(text) || text.length() > LONGEST_METHOD) {
      throw new IllegalArgumentException(
          "must be a method of at most %d letters, digits and signs, for example GET or M-SEARCH,"
                  .formatted(LONGEST_METHOD)
              + " got \""
              + text
              + "\"");
    }
    String method = text.toUpperCase(Locale.ROOT);
    return method.equals("HEAD") ? "GET" : method;
  }

  private static SortedSet<String> set(Collection<String> values) {
    return new TreeSet<>(values);
  }
}
