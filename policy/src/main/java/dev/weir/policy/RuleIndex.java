package dev.weir.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
  private final Map<String, int[]> byUser;
  private final Map<String, int[]> byKey;
  private final Map<String, int[]> byEndpoint;
  private final Map<String, int[]> byTier;
  private final Map<String, int[]> byMethod;
  private final Map<String, Map<String, int[]>> byHeader;
  private final PathTree byPath;
  private final AddressTrie byAddress;

  private RuleIndex(Builder builder) {
    this.unconditional = ints(builder.unconditional);
    this.byUser = frozen(builder.byUser);
    this.byKey = frozen(builder.byKey);
    this.byEndpoint = frozen(builder.byEndpoint);
    this.byTier = frozen(builder.byTier);
    this.byMethod = frozen(builder.byMethod);
    this.byHeader = new HashMap<>();
    builder.byHeader.forEach((name, values) -> byHeader.put(name, frozen(values)));
    this.byPath = builder.byPath.build();
    this.byAddress = builder.byAddress.build();
  }

  /** An index of these steps, which are known by their place in the list. */
  static RuleIndex of(List<Step> steps) {
    Builder builder = new Builder(steps);
    for (int number = 0; number < steps.size(); number++) {
      builder.file(steps.get(number).match, number);
    }
    return new RuleIndex(builder);
  }

  /** Adds the numbers of all steps that may match, in no order, some perhaps twice. */
  void find(Request request, Match match) {
    IntBag found = match.found;
    Client client = request.client();
    found.addAll(unconditional);
    addAll(byUser, client.user(), found);
    addAll(byKey, client.key(), found);
    addAll(byEndpoint, match.endpoint, found);
    addAll(byTier, match.tier, found);
    addAll(byMethod, request.method(), found);
    byPath.match(request.path(), match.walk, found);
    Address address = client.address();
    if (address != null) {
      byAddress.match(address, found);
    }
    if (!byHeader.isEmpty()) {
      findByHeader(request.headers(), found);
    }
  }

  private void findByHeader(Headers headers, IntBag found) {
    for (Map.Entry<String, Map<String, int[]>> header : byHeader.entrySet()) {
      for (String value : headers.values(header.getKey())) {
        addAll(header.getValue(), value, found);
      }
    }
  }

  private static void addAll(Map<String, int[]> index, @Nullable String value, IntBag found) {
    int[] numbers = value == null || index.isEmpty() ? null : index.get(value);
    if (numbers != null) {
      found.addAll(numbers);
    }
  }

  private static Map<String, int[]> frozen(Map<String, List<Integer>> index) {
    Map<String, int[]> frozen = new HashMap<>();
    index.forEach((value, numbers) -> frozen.put(value, ints(numbers)));
    return frozen;
  }

  private static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private static final class Builder {
    final List<Integer> unconditional = new ArrayList<>();
    final Map<String, List<Integer>> byUser = new HashMap<>();
    final Map<String, List<Integer>> byKey = new HashMap<>();
    final Map<String, List<Integer>> byEndpoint = new HashMap<>();
    final Map<String, List<Integer>> byTier = new HashMap<>();
    final Map<String, List<Integer>> byMethod = new HashMap<>();
    final Map<String, Map<String, List<Integer>>> byHeader = new HashMap<>();
    final PathTree.Builder byPath = new PathTree.Builder();
    final AddressTrie.Builder byAddress = new AddressTrie.Builder();

    private final int size;

    /** How many steps have a condition with that value; values of different parts never meet. */
    private final Map<Object, Integer> shared = new HashMap<>();

    private record Value(String part, Object value) {}

    /** A place where a step could be filed, and how many others would be there. */
    private record Choice(int others, Runnable file) {}

    Builder(List<Step> steps) {
      this.size = steps.size();
      for (Step step : steps) {
        for (Value value : values(step.match)) {
          shared.merge(value, 1, Integer::sum);
        }
      }
    }

    private static List<Value> values(Conditions match) {
      List<Value> values = new ArrayList<>();
      match.users().forEach(user -> values.add(new Value("user", user)));
      match.keys().forEach(key -> values.add(new Value("key", key)));
      match.paths().forEach(path -> values.add(new Value("path", path.segments())));
      match.ips().forEach(ip -> values.add(new Value("ip", ip)));
      match.endpoints().forEach(endpoint -> values.add(new Value("endpoint", endpoint)));
      match.tiers().forEach(tier -> values.add(new Value("tier", tier)));
      match.methods().forEach(method -> values.add(new Value("method", method)));
      match
          .headers()
          .forEach(
              (name, wanted) ->
                  wanted.forEach(value -> values.add(new Value("header." + name, value))));
      return values;
    }

    void file(Conditions match, int number) {
      List<Choice> choices = new ArrayList<>();
      offer(choices, "user", match.users(), user -> () -> put(byUser, user, number));
      offer(choices, "key", match.keys(), key -> () -> put(byKey, key, number));
      offerPaths(choices, match, number);
      match
          .headers()
          .forEach(
              (name, wanted) ->
                  offer(
                      choices,
                      "header." + name,
                      wanted,
                      value ->
                          () ->
                              put(
                                  byHeader.computeIfAbsent(name, absent -> new HashMap<>()),
                                  value,
                                  number)));
      offer(choices, "ip", match.ips(), ip -> () -> byAddress.add(ip, number));
      offer(choices, "endpoint", match.endpoints(), name -> () -> put(byEndpoint, name, number));
      offer(choices, "tier", match.tiers(), tier -> () -> put(byTier, tier, number));
      offer(choices, "method", match.methods(), method -> () -> put(byMethod, method, number));
      Choice best = new Choice(Integer.MAX_VALUE, () -> unconditional.add(number));
      for (Choice choice : choices) {
        best = choice.others < best.others ? choice : best;
      }
      best.file.run();
    }

    private <T> void offer(
        List<Choice> choices, String part, Collection<T> values, Function<T, Runnable> filing) {
      if (values.isEmpty()) {
        return;
      }
      int others = 0;
      List<Runnable> filings = new ArrayList<>();
      for (T value : values) {
        others += shared.getOrDefault(new Value(part, value), 0);
        filings.add(filing.apply(value));
      }
      choices.add(new Choice(others, () -> filings.forEach(Runnable::run)));
    }

    private void offerPaths(List<Choice> choices, Conditions match, int number) {
      if (match.paths().isEmpty()) {
        return;
      }
      int others = 0;
      for (PathPattern path : match.paths()) {
        boolean isSelective =
            path.segments().stream()
                .anyMatch(part -> !part.equals(PathPattern.ONE) && !part.equals(PathPattern.ANY));
        others += isSelective ? shared.getOrDefault(new Value("path", path.segments()), 0) : size;
      }
      choices.add(
          new Choice(others, () -> match.paths().forEach(path -> byPath.add(path, number))));
    }

    private static void put(Map<String, List<Integer>> index, String value, int number) {
      index.computeIfAbsent(value, absent -> new ArrayList<>()).add(number);
    }
  }
}
