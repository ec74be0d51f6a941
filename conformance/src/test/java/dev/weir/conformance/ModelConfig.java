package dev.weir.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads configuration files as the facts about envoyproxy/ratelimit say; all of them, or none. */
final class ModelConfig {
  private static final Set<String> KEYS =
      Set.of(
          "domain",
          "key",
          "value",
          "descriptors",
          "rate_limit",
          "unit",
          "requests_per_unit",
          "unlimited",
          "name",
          "replaces",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata");

  private final Map<String, ModelNode> domains = new LinkedHashMap<>();

  /** Something wrong in a file. */
  static final class Mistake extends Exception {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  private ModelConfig() {}

  static ModelConfig read(Map<String, String> files, boolean isMerging, Bug bug) throws Mistake {
    ModelConfig config = new ModelConfig();
    for (Map.Entry<String, String> file : files.entrySet()) {
      try {
        config.add(file.getValue(), isMerging, bug);
      } catch (Mistake e) {
        if (bug != Bug.WRONG_FILES_ARE_TAKEN) {
          throw new Mistake(file.getKey() + ": " + e.getMessage());
        }
      }
    }
    return config;
  }

  @Nullable ModelNode domain(String name) {
    return domains.get(name);
  }

  private void add(String text, boolean isMerging, Bug bug) throws Mistake {
    Object root;
    try {
      root = new Load(LoadSettings.builder().build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw new Mistake("error loading config file: " + e.getMessage());
    }
    checkKeys(root);
    String domain = text(root, "domain");
    if (domain.isEmpty()) {
      throw new Mistake("config file cannot have empty domain");
    }
    if (domains.containsKey(domain) && !isMerging) {
      throw new Mistake("duplicate domain '%s' in config file".formatted(domain));
    }
    if (bug == Bug.LAST_FILE_WINS) {
      domains.remove(domain);
    }
    ModelNode node = domains.computeIfAbsent(domain, name -> new ModelNode(name, ""));
    addChildren(node, list(root, "descriptors"), domain + ".");
  }

  private static void checkKeys(@Nullable Object value) throws Mistake {
    if (!(value instanceof Map<?, ?> map)) {
      return;
    }
    for (Map.Entry<?, ?> each : map.entrySet()) {
      if (!(each.getKey() instanceof String key)) {
        throw new Mistake("config error, key is not of type string: " + each.getKey());
      }
      if (!KEYS.contains(key)) {
        throw new Mistake("config error, unknown key '%s'".formatted(key));
      }
      if (key.equals("metadata")) {
        continue;
      }
      if (each.getValue() instanceof List<?> list) {
        for (Object item : list) {
          if (!(item instanceof Map<?, ?>)) {
            throw new Mistake(
                "config error, yaml file contains list of type other than map: " + item);
          }
          checkKeys(item);
        }
      }
      checkKeys(each.getValue());
    }
  }

  private static void addChildren(ModelNode parent, List<?> descriptors, String path)
      throws Mistake {
    for (Object descriptor : descriptors) {
      ModelNode node = new ModelNode(text(descriptor, "key"), text(descriptor, "value"));
      if (node.key.isEmpty()) {
        throw new Mistake("descriptor has empty key");
      }
      String name = path + node.name();
      if (parent.children.stream().anyMatch(other -> other.name().equals(node.name()))) {
        throw new Mistake("duplicate descriptor composite key '%s'".formatted(name));
      }
      node.isShadow = flag(descriptor, "shadow_mode");
      node.isQuota = flag(descriptor, "quota_mode");
      node.isDetailed = flag(descriptor, "detailed_metric");
      node.isValueToMetric = flag(descriptor, "value_to_metric");
      node.isShared = flag(descriptor, "share_threshold");
      node.metadata = map(descriptor, "metadata");
      Map<String, Object> rateLimit = map(descriptor, "rate_limit");
      if (!rateLimit.isEmpty()) {
        addLimit(node, rateLimit);
      }
      if (node.isShared && !node.isPattern()) {
        throw new Mistake("share_threshold can only be used with wildcard values");
      }
      addChildren(node, list(descriptor, "descriptors"), name + ".");
      parent.children.add(node);
    }
  }

  private static void addLimit(ModelNode node, Map<String, Object> rateLimit) throws Mistake {
    String unitName = text(rateLimit, "unit");
    String name = text(rateLimit, "name");
    Unit unit = unit(unitName);
    node.isUnlimited = flag(rateLimit, "unlimited");
    if (node.isUnlimited) {
      if (unit != null) {
        throw new Mistake("should not specify rate limit unit when unlimited");
      }
    } else if (unit == null) {
      throw new Mistake("invalid rate limit unit '%s'".formatted(unitName));
    } else {
      String requests = text(rateLimit, "requests_per_unit");
      node.limit = new Rate(requests.isEmpty() ? 0 : Long.parseLong(requests), unit, name);
    }
    for (Object replaced : list(rateLimit, "replaces")) {
      String other = text(replaced, "name");
      if (other.isEmpty()) {
        throw new Mistake("should not have an empty replaces entry");
      }
      if (other.equals(name)) {
        throw new Mistake("replaces should not contain name of same descriptor");
      }
      node.replaces.add(other);
    }
  }

  private static @Nullable Unit unit(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (Unit unit : Unit.values()) {
      if (unit != Unit.UNKNOWN && unit.name().equals(upper)) {
        return unit;
      }
    }
    return null;
  }

  private static @Nullable Object get(@Nullable Object map, String key) {
    return map instanceof Map<?, ?> values ? values.get(key) : null;
  }

  private static String text(@Nullable Object map, String key) {
    Object value = get(map, key);
    return value == null ? "" : value.toString();
  }

  private static boolean flag(@Nullable Object map, String key) {
    return Boolean.TRUE.equals(get(map, key));
  }

  private static List<?> list(@Nullable Object map, String key) {
    return get(map, key) instanceof List<?> list ? list : List.of();
  }

  private static Map<String, Object> map(@Nullable Object map, String key) {
    Map<String, Object> result = new LinkedHashMap<>();
    if (get(map, key) instanceof Map<?, ?> values) {
      values.forEach((name, value) -> result.put(name.toString(), value));
    }
    return result;
  }
}
