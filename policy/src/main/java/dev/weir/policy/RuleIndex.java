package dev.weir.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the steps that a request may meet without looking at the others.
 *
 * <p>Every step is filed under one of its conditions, the one that the fewest other steps share, so
 * that what a look-up brings is mostly what really matches. The other conditions are looked at one
 * by one afterwards.
 */
final class RuleIndex {
  private final int[] unconditional;
  private final int size;

  // What nothing is filed under is null: a request need not look there.
  private final @Nullable Map<String, int[]> byUser;
  private final @Nullable Map<String, int[]> byKey;
  private final @Nullable Map<String, int[]> byEndpoint;
  private final @Nullable Map<String, int[]> byTier;
  private final @Nullable Map<String, int[]> byMethod;
  private final @Nullable PathTree byPath;
  private final @Nullable AddressTrie byAddress;
  private final Header[] byHeader;

  /** The steps that are filed under values of one header field. */
  private record Header(String name, Map<String, int[]> byValue) {}

  private RuleIndex(Builder builder) {
    this.unconditional = ints(builder.unconditional);
    this.byUser = nullIfEmpty(builder.filed(Conditions.USER));
    this.byKey = nullIfEmpty(builder.filed(Conditions.KEY));
    this.byEndpoint = nullIfEmpty(builder.filed(Conditions.ENDPOINT));
    this.byTier = nullIfEmpty(builder.filed(Conditions.TIER));
    this.byMethod = nullIfEmpty(builder.filed(Conditions.METHOD));
    this.byHeader =
        builder.byValue.keySet().stream()
            .filter(part -> part.startsWith(Conditions.HEADER))
            .map(
                part -> new Header(part.substring(Conditions.HEADER.length()), builder.filed(part)))
            .toArray(Header[]::new);
    this.byPath = builder.hasPaths ? builder.byPath.build() : null;
    this.byAddress = builder.hasAddresses ? builder.byAddress.build() : null;
    this.size = builder.size;
  }

  private static @Nullable Map<String, int[]> nullIfEmpty(Map<String, int[]> filed) {
    return filed.isEmpty() ? null : filed;
  }

  /**
   * An index of these steps and of the paths of endpoints, which are known by their places, the
   * paths behind the steps: so that one walk along a path finds both.
   */
  static RuleIndex of(List<Step> steps, List<PathPattern> endpointPaths) {
    Builder builder = new Builder(steps);
    for (int number = 0; number < steps.size(); number++) {
      builder.file(steps.get(number), number);
    }
    for (int i = 0; i < endpointPaths.size(); i++) {
      builder.file(endpointPaths.get(i), steps.size() + i);
    }
    return new RuleIndex(builder);
  }

  /** Finds what is filed under the path. */
  void walk(Request request, Match match) {
    if (byPath != null) {
      byPath.match(request.path(), match.walk, match.onPath);
    }
  }

  /**
   * Adds the numbers of all steps that may match a request whose path was walked before, in no
   * order, some perhaps twice.
   */
  void find(Request request, Match match) {
    IntBag found = match.found;
    Client client = request.client();
    found.addAll(unconditional);
    addAll(byUser, client.user(), found);
    addAll(byKey, client.key(), found);
    addAll(byEndpoint, match.endpoint, found);
    addAll(byTier, match.tier, found);
    addAll(byMethod, request.method(), found);
    for (int i = 0; i < match.onPath.size(); i++) {
      if (match.onPath.get(i) < size) {
        found.add(match.onPath.get(i));
      }
    }
    Address address = byAddress == null ? null : client.address();
    if (byAddress != null && address != null) {
      byAddress.match(address, found);
    }
    for (Header header : byHeader) {
      List<String> values = request.headers().values(header.name);
      for (int j = 0; j < values.size(); j++) {
        addAll(header.byValue, Conditions.compared(header.name, values.get(j)), found);
      }
    }
  }

  private static void addAll(
      @Nullable Map<String, int[]> index, @Nullable String value, IntBag found) {
    int[] numbers = value == null || index == null ? null : index.get(value);
    if (numbers != null) {
      found.addAll(numbers);
    }
  }

  static int[] ints(List<Integer> numbers) {
    int[] ints = new int[numbers.size()];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = numbers.get(i);
    }
    return ints;
  }

  private static final class Builder {
    final List<Integer> unconditional = new ArrayList<>();

    /** Steps by part and value, for the parts that a plain look-up finds. */
    final Map<String, Map<String, List<Integer>>> byValue = new TreeMap<>();

    final PathTree.Builder byPath = new PathTree.Builder();
    final AddressTrie.Builder byAddress = new AddressTrie.Builder();
    boolean hasPaths;
    boolean hasAddresses;
    final int size;

    /** Of each step the values of its parts. */
    private final List<Map<String, Collection<?>>> given = new ArrayList<>();

    /** By part and value, how many steps have it. */
    private final Map<String, Map<Object, Integer>> shared = new HashMap<>();

    Builder(List<Step> steps) {
      this.size = steps.size();
      for (Step step : steps) {
        Map<String, Collection<?>> parts = step.match.valuesByPart();
        given.add(parts);
        for (Map.Entry<String, Collection<?>> part : parts.entrySet()) {
          Map<Object, Integer> counts =
              shared.computeIfAbsent(part.getKey(), absent -> new HashMap<>());
          for (Object value : part.getValue()) {
            counts.merge(counted(value), 1, Integer::sum);
          }
        }
      }
    }

    /** Patterns that match alike are counted together, whatever their wildcards are called. */
    private static Object counted(Object value) {
      return value instanceof PathPattern path ? path.segments() : value;
    }

    void file(Step step, int number) {
      String best = "";
      int fewest = Integer.MAX_VALUE;
      for (Map.Entry<String, Collection<?>> part : given.get(number).entrySet()) {
        int others = 0;
        for (Object value : part.getValue()) {
          others += others(part.getKey(), value);
        }
        if (others < fewest) {
          best = part.getKey();
          fewest = others;
        }
      }
      step.rest = step.match.partsBut(best);
      switch (best) {
        case "" -> unconditional.add(number);
        case Conditions.PATH -> step.match.paths().forEach(path -> file(path, number));
        case Conditions.IP -> step.match.ips().forEach(ip -> file(ip, number));
        default -> {
          for (Object value : given.get(number).getOrDefault(best, List.of())) {
            byValue
                .computeIfAbsent(best, absent -> new HashMap<>())
                .computeIfAbsent((String) value, absent -> new ArrayList<>())
                .add(number);
          }
        }
      }
    }

    void file(PathPattern path, int number) {
      byPath.add(path, number);
      hasPaths = true;
    }

    private void file(Cidr ip, int number) {
      byAddress.add(ip, number);
      hasAddresses = true;
    }

    /** How many would be found with that value; all if it is a path of nothing but wildcards. */
    private int others(String part, Object value) {
      return value instanceof PathPattern path && isAnything(path)
          ? size
          : shared.getOrDefault(part, Map.of()).getOrDefault(counted(value), 0);
    }

    private static boolean isAnything(PathPattern path) {
      for (String segment : path.segments()) {
        if (!segment.equals(PathPattern.ONE) && !segment.equals(PathPattern.ANY)) {
          return false;
        }
      }
      return true;
    }

    Map<String, int[]> filed(String part) {
      Map<String, int[]> filed = new HashMap<>();
      byValue.getOrDefault(part, Map.of()).forEach((value, all) -> filed.put(value, ints(all)));
      return filed;
    }
  }
}
