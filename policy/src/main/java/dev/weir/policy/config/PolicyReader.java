package dev.weir.policy.config;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.Period;
import dev.weir.TokenBucket;
import dev.weir.policy.Action;
import dev.weir.policy.ApiKeyIds;
import dev.weir.policy.Cidr;
import dev.weir.policy.ClientSet;
import dev.weir.policy.Endpoint;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Mode;
import dev.weir.policy.PathPattern;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Refusal;
import dev.weir.policy.Rule;
import dev.weir.policy.Scope;
import dev.weir.policy.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the sections that are about requests. */
final class PolicyReader {
  private final Source source;
  private final Section root;
  private final KnownNames names;

  /** Of a text that stands alone. */
  PolicyReader(Source source, Section root) {
    this(source, root, KnownNames.none());
  }

  /** Of a text beside which there are others that give names. */
  PolicyReader(Source source, Section root, KnownNames names) {
    this.source = source;
    this.root = root;
    this.names = names;
  }

  /**
   * The policy.
   *
   * @param counters the section of that name, which has a part in it
   * @param client the section of that name, which has a part in it
   */
  PolicyDefinition read(Section counters, Section client) {
    boolean isEnabled = root.bool("enabled", true);
    Section standard = root.section("default");
    Limit defaultLimit = LimitSection.read(standard, 100, "60s");
    standard.finish();
    PolicyParts parts = readParts(defaultLimit);
    return new PolicyDefinition(
        isEnabled,
        defaultTier(),
        defaultLimit,
        parts.tiers(),
        parts.endpoints(),
        parts.rules(),
        penalty(),
        exempt(),
        client.choice("on_missing_client", Action.ALLOW, new Action[] {Action.ALLOW, Action.BLOCK}),
        failureMode(counters),
        (int) counters.integer("local_nodes", 1, 1, 100_000));
  }

  /** What there may be several of, each with a name; rules refer to the others by theirs. */
  PolicyParts readParts(Limit defaultLimit) {
    return new PolicyParts(
        named("tier", section -> tier(section, defaultLimit)),
        named("endpoint", this::endpoint),
        named("rule", this::rule),
        List.of());
  }

  private interface ElementReader<T> {
    T read(Section section);
  }

  /** The elements of an array of tables; each complaint of a constructor is reported. */
  private <T> List<T> named(String key, ElementReader<T> reader) {
    List<T> elements = new ArrayList<>();
    for (Section section : root.sections(key)) {
      String name = section.name("name");
      String problem = name.isEmpty() ? "" : names.add(key, name);
      if (!problem.isEmpty()) {
        section.report("name", problem);
        // Read all the same, for the mistakes in it.
      }
      T element = built(section, () -> reader.read(section));
      section.finish();
      if (element != null && problem.isEmpty()) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static <T> @Nullable T built(Section section, Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException wrong) {
      section.reportConstructor(Mistake.messageOf(wrong));
      return null;
    }
  }

  private Tier tier(Section section, Limit standard) {
    SortedMap<PathPattern, Long> overrides = new TreeMap<>();
    Section paths = section.section("endpoints");
    for (String path : paths.keys()) {
      PathPattern pattern = paths.parsed(path, path, PathPattern::parse, PathPattern.parse("/"));
      overrides.put(pattern, paths.integer(path, 1, 1, Limit.MAX_PERMITS));
    }
    Limit limit = LimitSection.readIfGiven(section);
    return new Tier(section.string("name", ""), limit == null ? standard : limit, overrides);
  }

  private Endpoint endpoint(Section section) {
    String name = section.string("name", "");
    Limit limit = LimitSection.readIfGiven(section);
    return new Endpoint(
        name,
        section.parsedStrings("paths", List.of(), PathPattern::parse),
        ConditionsReader.methods(section, "methods"),
        new EndpointVariables(source, name).over(limit),
        section.choice("scope", Scope.CLIENT, Scope.values()));
  }

  private Rule rule(Section section) {
    Action action = section.choice("action", Action.THROTTLE, Action.values());
    String algorithm =
        section.choice("algorithm", Algorithm.TOKEN_BUCKET, Algorithm.values()).toString();
    Long burst = section.has("burst") ? section.integer("burst", 1, 1, Limit.MAX_PERMITS) : null;
    List<Limit> limits =
        section.parsedStrings(
            "limits", List.of(), text -> LimitSection.parse(text, algorithm, burst));
    boolean hasNoBucket = limits.stream().noneMatch(TokenBucket.class::isInstance);
    if (burst != null && !limits.isEmpty() && hasNoBucket) {
      section.warn("burst", "has no effect; it is for token_bucket, and none of the limits is one");
    }
    FailureMode failureMode =
        section.has("failure_mode")
            ? section.choice("failure_mode", FailureMode.LOCAL, FailureMode.values())
            : null;
    return new Rule(
        section.string("name", ""),
        (int) section.integer("priority", Rule.DEFAULT_PRIORITY, -1_000_000, 1_000_000),
        new ConditionsReader(names).read(section.section("match")),
        limits,
        section.choice("scope", Scope.CLIENT, Scope.values()),
        // Without a valid action there is nothing to say about the limits.
        section.isWrong("action") && limits.isEmpty() ? Action.BLOCK : action,
        section.bool("final", false),
        section.choice("mode", Mode.ENFORCE, Mode.values()),
        failureMode,
        refusal(section.section("response")),
        section.bool("enabled", true));
  }

  private static Refusal refusal(Section response) {
    Refusal refusal =
        new Refusal(
            response.has("status") ? (int) response.integer("status", 429, 400, 599) : null,
            response.has("message") ? response.string("message", "") : null,
            response.has("retry_after") ? retryAfter(response) : null);
    response.finish();
    return refusal;
  }

  private static Duration retryAfter(Section response) {
    Duration wait = response.duration("retry_after", Duration.ofSeconds(1));
    if (wait.isZero() || wait.toMillis() % 1_000 != 0) {
      response.report(
          "retry_after", "must be whole seconds, at least 1s, got " + Durations.print(wait));
      return Duration.ofSeconds(1);
    }
    return wait;
  }

  private @Nullable String defaultTier() {
    Set<String> tierNames = names.of("tier");
    String tier = root.string("default_tier", "");
    if (!tier.isEmpty() && !tierNames.contains(tier)) {
      root.report(
          "default_tier",
          "must be the name of a tier, got \"" + tier + "\"" + Suggestion.of(tier, tierNames));
    }
    return tierNames.contains(tier) ? tier : null;
  }

  private @Nullable Penalty penalty() {
    Section section = root.section("penalty");
    boolean isEnabled = section.bool("enabled", false);
    Duration window = section.duration("detection_window", Duration.ofHours(1));
    int threshold = (int) section.integer("violation_threshold", 3, 1, Penalty.MAX_VIOLATIONS);
    List<Integer> multipliers = section.integers("multipliers", List.of(1, 2, 4, 8));
    section.finish();
    if (window.isZero() || window.compareTo(Period.LONGEST) > 0) {
      section.report(
          "detection_window", "must be between 1ms and 366d, got " + Durations.print(window));
      return null;
    }
    try {
      Penalty penalty = new Penalty(window, threshold, multipliers);
      return isEnabled ? penalty : null;
    } catch (IllegalArgumentException wrong) {
      section.reportConstructor(Mistake.messageOf(wrong));
      return null;
    }
  }

  private FailureMode failureMode(Section counters) {
    String name = Source.variableOf("fail_open");
    String variable = source.variable(name);
    FailureMode ofFile = counters.choice("failure_mode", FailureMode.LOCAL, FailureMode.values());
    if (variable == null) {
      return ofFile;
    }
    if (Values.booleanOrText(variable) instanceof Boolean isOpen) {
      return isOpen ? FailureMode.OPEN : FailureMode.CLOSED;
    }
    source.reportVariable(name, "must be true or false, got " + Values.shown(variable));
    return ofFile;
  }

  private ClientSet exempt() {
    List<Cidr> ips = new ArrayList<>();
    SortedSet<String> users = new TreeSet<>();
    SortedSet<String> keys = new TreeSet<>();
    for (Section section : root.sections("exempt")) {
      List<Cidr> here = section.parsedStrings("ip", List.of(), Cidr::parse);
      boolean isEmpty = !section.has("ip") && !section.has("user") && !section.has("key");
      if (isEmpty) {
        section.report("ip", "is missing; an exemption has ip, user or key");
      }
      ips.addAll(here);
      users.addAll(section.strings("user", List.of()));
      keys.addAll(section.parsedStrings("key", List.of(), ApiKeyIds::requireId));
      section.finish();
    }
    addWhitelist(ips, users);
    return new ClientSet(ips, users, keys);
  }

  private void addWhitelist(List<Cidr> ips, SortedSet<String> users) {
    String name = Source.variableOf("whitelist");
    String variable = source.variable(name);
    try {
      ClientSet whitelist =
          ClientSet.of(variable == null ? Set.of() : new TreeSet<>(Values.elements(variable)));
      ips.addAll(whitelist.ips());
      users.addAll(whitelist.users());
    } catch (IllegalArgumentException wrong) {
      source.reportVariable(name, Mistake.messageOf(wrong));
    }
  }
}
