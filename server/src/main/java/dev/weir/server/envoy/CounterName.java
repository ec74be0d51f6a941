package dev.weir.server.envoy;

import java.util.EnumMap;
import java.util.Map;

/**
 * The names of counters: {@code envoy:<domain>:<key_value>:<key_value>}, one for each rule. They
 * come from configuration only. Colons in the parts stand behind a backslash, so that no two rules
 * have one name.
 */
final class CounterName {
  private static final String PREFIX = "envoy";

  private CounterName() {}

  static String ofDomain(String domain) {
    return PREFIX + ":" + escaped(domain);
  }

  static String below(String parent, String composite) {
    return parent + ":" + escaped(composite);
  }

  /** One for each unit. No key is empty, so none of them is the name of a rule. */
  static Map<LimitUnit, String> ofOverrides(String domain) {
    Map<LimitUnit, String> names = new EnumMap<>(LimitUnit.class);
    for (LimitUnit unit : LimitUnit.values()) {
      names.put(unit, ofDomain(domain) + "::override:" + unit);
    }
    return names;
  }

  private static String escaped(String part) {
    return part.replace("\\", "\\\\").replace(":", "\\:");
  }
}
