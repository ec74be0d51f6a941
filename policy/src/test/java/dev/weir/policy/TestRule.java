package dev.weir.policy;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Builds rules from texts. */
final class TestRule {
  private final String name;
  private int priority = Rule.DEFAULT_PRIORITY;
  private final SortedSet<String> tiers = new TreeSet<>();
  private final SortedSet<String> endpoints = new TreeSet<>();
  private final List<PathPattern> paths = new ArrayList<>();
  private final SortedSet<String> methods = new TreeSet<>();
  private final List<Cidr> ips = new ArrayList<>();
  private final SortedSet<String> users = new TreeSet<>();
  private final SortedSet<String> keys = new TreeSet<>();
  private final SortedMap<String, SortedSet<String>> headers = new TreeMap<>();
  private final List<Limit> limits = new ArrayList<>();
  private Scope scope = Scope.CLIENT;
  private final Action action;
  private boolean isFinal;
  private Mode mode = Mode.ENFORCE;
  private @Nullable FailureMode failureMode;
  private Refusal refusal = Refusal.plain();
  private boolean isEnabled = true;

  private TestRule(String name, Action action) {
    this.name = name;
    this.action = action;
  }

  static TestRule throttle(String name, String... limits) {
    TestRule rule = new TestRule(name, Action.THROTTLE);
    for (String limit : limits) {
      rule.limits.add(Limit.parse(limit));
    }
    return rule;
  }

  static TestRule allow(String name) {
    return new TestRule(name, Action.ALLOW);
  }

  static TestRule block(String name) {
    return new TestRule(name, Action.BLOCK);
  }

  TestRule priority(int value) {
    priority = value;
    return this;
  }

  TestRule tier(String value) {
    tiers.add(value);
    return this;
  }

  TestRule endpoint(String value) {
    endpoints.add(value);
    return this;
  }

  TestRule path(String pattern) {
    paths.add(PathPattern.parse(pattern));
    return this;
  }

  TestRule method(String value) {
    methods.add(value);
    return this;
  }

  TestRule ip(String range) {
    ips.add(Cidr.parse(range));
    return this;
  }

  TestRule user(String value) {
    users.add(value);
    return this;
  }

  TestRule key(String value) {
    keys.add(value);
    return this;
  }

  TestRule header(String field, String value) {
    headers.computeIfAbsent(field, absent -> new TreeSet<>()).add(value);
    return this;
  }

  TestRule scope(Scope value) {
    scope = value;
    return this;
  }

  TestRule last() {
    isFinal = true;
    return this;
  }

  TestRule shadow() {
    mode = Mode.SHADOW;
    return this;
  }

  TestRule failureMode(FailureMode value) {
    failureMode = value;
    return this;
  }

  TestRule refusal(Refusal value) {
    refusal = value;
    return this;
  }

  TestRule disabled() {
    isEnabled = false;
    return this;
  }

  Conditions conditions() {
    return new Conditions(tiers, endpoints, paths, methods, ips, users, keys, headers);
  }

  Rule build() {
    return new Rule(
        name,
        priority,
        conditions(),
        limits,
        scope,
        action,
        isFinal,
        mode,
        failureMode,
        refusal,
        isEnabled);
  }
}
