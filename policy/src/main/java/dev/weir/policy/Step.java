package dev.weir.policy;

import dev.weir.Limit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rule in the order in which a policy walks over them. Tiers, endpoints and the default are
 * rules too, behind those that were written as such.
 */
final class Step {

  /** What a step comes from; those before come first in the walk. */
  enum Level {
    RULE,
    TIER_PATH,
    ENDPOINT,
    OWN,
    TIER,
    DEFAULT,
    /** Behind all others, whatever ended the walk. */
    QUOTA,
    /** In no walk: asked for by name. */
    NAMED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  static final Comparator<Step> ORDER =
      Comparator.<Step, Level>comparing(step -> step.level)
          .thenComparing(step -> -(long) step.priority)
          .thenComparing(step -> step.name);

  final Level level;
  final String name;
  final int priority;
  final Conditions match;
  final List<Limit> limits;
  final Scope scope;
  final Action action;
  final boolean isFinal;
  final Mode mode;
  final @Nullable FailureMode failureMode;
  final Refusal refusal;

  /** The conditions that its place in the index does not tell. */
  Conditions.Part[] rest = {};

  /** This step alone, for the many decisions that only one step has part in. */
  final Step[] alone = {this};

  /** One for each limit. */
  final Bookmark[] bookmarks;

  /** For what is counted for each endpoint; null if one counter does for all. */
  private final @Nullable Map<String, String[]> namesByEndpoint;

  private final String[] names;

  private Step(Level level, String name, int priority, Rule rule) {
    this.level = level;
    this.name = name;
    this.priority = priority;
    this.match = rule.match();
    this.limits = rule.limits();
    this.bookmarks = Stream.generate(Bookmark::new).limit(limits.size()).toArray(Bookmark[]::new);
    this.scope = rule.scope();
    this.action = rule.action();
    this.isFinal = rule.isFinal() || (level != Level.RULE && level != Level.QUOTA);
    this.mode = rule.mode();
    this.failureMode = rule.failureMode();
    this.refusal = rule.refusal();
    this.names = namesOf((level == Level.RULE ? "rule:" : "") + name);
    this.namesByEndpoint =
        level == Level.TIER || level == Level.DEFAULT ? new ConcurrentHashMap<>() : null;
  }

  static Step of(Rule rule) {
    return new Step(Level.RULE, rule.name(), rule.priority(), rule);
  }

  /**
   * The tier's limit on a path.
   *
   * @param rank how specific the path is among those of its tier, 0 being the most specific
   */
  static Step of(Tier tier, PathPattern path, int rank) {
    Conditions match = Conditions.ofTier(tier.name()).withPath(path);
    Rule rule = Rule.throttle("tier", match, List.of(tier.limitOn(path)));
    return new Step(Level.TIER_PATH, "tier:" + tier.name() + ":" + path, -rank, rule);
  }

  static Step of(Endpoint endpoint, Limit limit) {
    Rule rule =
        new Rule(
            "endpoint",
            0,
            Conditions.ofEndpoint(endpoint.name()),
            List.of(limit),
            endpoint.scope(),
            Action.THROTTLE,
            true,
            Mode.ENFORCE,
            null,
            Refusal.plain(),
            true);
    return new Step(Level.ENDPOINT, "endpoint:" + endpoint.name(), 0, rule);
  }

  static Step of(Tier tier) {
    Rule rule = Rule.throttle("tier", Conditions.ofTier(tier.name()), List.of(tier.limit()));
    return new Step(Level.TIER, "tier:" + tier.name(), 0, rule);
  }

  static Step ofDefault(Limit limit) {
    Rule rule = Rule.throttle("default", Conditions.none(), List.of(limit));
    return new Step(Level.DEFAULT, "default", 0, rule);
  }

  /** The limits that a key or a user has of its own. */
  static Step ofOwn(Scope scope, List<Limit> limits) {
    return new Step(
        Level.OWN, scope == Scope.USER ? "own:user" : "own", 0, throttle(scope, limits));
  }

  /** Limits that are asked for by their name. */
  static Step ofNamed(String name, List<Limit> limits, Scope scope) {
    return new Step(Level.NAMED, name, 0, throttle(scope, List.copyOf(limits)));
  }

  /** What a user may use up in a month. */
  static Step ofQuota(Limit limit) {
    return new Step(Level.QUOTA, "quota", 0, throttle(Scope.USER, List.of(limit)));
  }

  private static Rule throttle(Scope scope, List<Limit> limits) {
    return new Rule(
        "own",
        0,
        Conditions.none(),
        limits,
        scope,
        Action.THROTTLE,
        false,
        Mode.ENFORCE,
        null,
        Refusal.plain(),
        true);
  }

  /**
   * The names of the counters of its limits, for requests to that endpoint. No two counters have
   * one name: names of rules have no colon, endpoints no slash, and what comes from a rule starts
   * with {@code rule:}.
   */
  String[] counterNames(String endpoint) {
    if (namesByEndpoint == null) {
      return names;
    }
    String[] known = namesByEndpoint.get(endpoint);
    return known == null
        ? namesByEndpoint.computeIfAbsent(endpoint, any -> namesOf(names[0] + "/" + any))
        : known;
  }

  private String[] namesOf(String first) {
    String[] all = new String[limits.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i == 0 ? first : first + "#" + (i + 1);
    }
    return all;
  }

  @Override
  public String toString() {
    return name;
  }
}
