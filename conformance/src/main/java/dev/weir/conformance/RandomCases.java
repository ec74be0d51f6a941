package dev.weir.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Generates cases at random, for {@link Recording}: a configuration of up to three levels each, and
 * requests that mostly match it. The same seed generates the same cases.
 *
 * <p>What servers are known to do differently for a good reason is not generated; the list is in
 * {@code docs/conformance/README.md}.
 */
final class RandomCases {
  private static final List<String> KEYS = List.of("a", "b", "a_x", "c");
  private static final List<String> VALUES = List.of("", "x", "y", "xy", "yx", "x.y");
  private static final List<String> PATTERNS = List.of("*", "x*", "*y", "x*y", "*x*");
  private static final List<String> NAMES = List.of("", "", "", "n1", "n2");
  private static final List<Unit> SHORT_UNITS =
      List.of(Unit.SECOND, Unit.MINUTE, Unit.HOUR, Unit.DAY);
  private static final List<Unit> LONG_UNITS = List.of(Unit.WEEK, Unit.MONTH, Unit.YEAR);
  private static final int MAX_DEPTH = 3;
  private static final int POOL = 8;
  private static final long MAX_HITS = 0xFFFF_FFFFL;

  /** In the second hour of a day no two units have windows that start together. */
  private static final long START = Unit.HOUR.seconds() + Unit.MINUTE.seconds();

  /** What is varied from one case to the next. */
  private enum Kind {
    /** Short units, limits of the caller, reads of counts. */
    MIXED,
    /** One long unit, without limits of the caller. */
    LONG,
    /** Limits of 0 too, without limits of the caller and reads of counts. */
    BLOCKING
  }

  private final Random random;
  private final SortedSet<String> settings;
  private Kind kind = Kind.MIXED;
  private List<Unit> units = SHORT_UNITS;

  /** The keys and values of the configuration, by their depth in it. */
  private final List<List<Descriptor.Entry>> levels = new ArrayList<>();

  /** Descriptors that come again and again, so that limits are reached. */
  private final List<Descriptor> pool = new ArrayList<>();

  RandomCases(long seed, String profile) {
    random = new Random(seed);
    settings =
        profile.equals(Case.DEFAULT_PROFILE)
            ? new TreeSet<>()
            : new TreeSet<>(List.of(profile.split("\\+", -1)));
  }

  /** Generates that many cases; their steps expect nothing yet. */
  List<Case> cases(int count, int requests) {
    List<Case> cases = new ArrayList<>();
    String theme = settings.isEmpty() ? Case.DEFAULT_PROFILE : String.join("-", settings);
    for (int i = 1; i <= count; i++) {
      kind = Kind.values()[i % Kind.values().length];
      units = kind == Kind.LONG ? List.of(one(LONG_UNITS)) : SHORT_UNITS;
      levels.clear();
      pool.clear();
      String name = "random-%s-%d".formatted(theme.replace('_', '-'), i);
      String config = "{domain: %s, descriptors: [\n%s]}\n".formatted(name, descriptors(1, "  "));
      cases.add(
          new Case(
              "random-" + theme.replace('_', '-'),
              name,
              "recorded",
              settings,
              Set.of(),
              kind == Kind.LONG ? units.get(0).seconds() : Unit.DAY.seconds(),
              Map.of("", config),
              steps(name, requests)));
    }
    return cases;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String descriptors(int depth, String indent) {
    StringBuilder yaml = new StringBuilder();
    Set<String> taken = new HashSet<>();
    if (levels.size() < depth) {
      levels.add(new ArrayList<>());
    }
    for (int i = random.nextInt(6) + (depth == 1 ? 3 : 0); i > 0; i--) {
      boolean isPattern = chance(25);
      String key = one(KEYS);
      String value = isPattern ? one(PATTERNS) : one(VALUES);
      if (!taken.add(value.isEmpty() ? key : key + "_" + value)) {
        continue;
      }
      levels.get(depth - 1).add(new Descriptor.Entry(key, value));
      yaml.append(indent).append("{key: ").append(key);
      yaml.append(value.isEmpty() ? "" : ", value: '" + value + "'");
      yaml.append(isPattern && chance(50) ? ", share_threshold: true" : "");
      if (chance(70)) {
        yaml.append(rule());
      }
      if (depth < MAX_DEPTH && chance(40)) {
        String below = descriptors(depth + 1, indent + "  ");
        yaml.append(below.isEmpty() ? "" : ", descriptors: [\n" + below + indent + "]");
      }
      yaml.append("},\n");
    }
    return yaml.toString();
  }

  private String rule() {
    // Weir lets neither stop other descriptors, since neither refuses the request.
    boolean isStopping = settings.contains("stop_when_over");
    String shadow = !isStopping && chance(10) ? ", shadow_mode: true" : "";
    String quota = !isStopping && chance(20) ? ", quota_mode: true" : "";
    String name = one(NAMES);
    String named = name.isEmpty() ? "" : ", name: " + name;
    String replaces = chance(8) && !name.equals("n1") ? ", replaces: [{name: n1}]" : "";
    if (chance(8)) {
      return shadow + quota + ", rate_limit: {unlimited: true" + named + replaces + "}";
    }
    int permits = kind == Kind.BLOCKING ? random.nextInt(8) : 1 + random.nextInt(11);
    Unit unit = one(units);
    return shadow
        + quota
        + ", rate_limit: {unit: %s, requests_per_unit: %d%s%s}"
            .formatted(unit.name().toLowerCase(Locale.ROOT), permits, named, replaces);
  }

  private List<Step> steps(String domain, int requests) {
    List<Step> steps = new ArrayList<>();
    long at = START;
    for (int i = 0; i < requests; i++) {
      at = next(at);
      List<Descriptor> descriptors = new ArrayList<>();
      for (int j = 1 + random.nextInt(3); j > 0; j--) {
        if (pool.size() < POOL) {
          pool.add(descriptor());
        }
        descriptors.add(chance(80) ? one(pool) : descriptor());
      }
      long hits = chance(80) ? 0 : random.nextInt(4);
      String named = chance(2) ? domain + "-other" : domain;
      steps.add(new Step.Ask(at, 1, named, hits, descriptors, new Expected.Failure(Set.of(), "")));
    }
    return steps;
  }

  /** Mostly the same second, seldom another day. */
  private long next(long at) {
    long next = at + (chance(1) ? Unit.DAY.seconds() : chance(15) ? random.nextInt(90) : 0);
    while (next % Unit.MINUTE.seconds() == 0
        || next % Unit.HOUR.seconds() < Unit.MINUTE.seconds()
        || next % Unit.DAY.seconds() < Unit.HOUR.seconds()) {
      next++;
    }
    return next;
  }

  private Descriptor descriptor() {
    List<Descriptor.Entry> entries = new ArrayList<>();
    int depth = chance(60) ? 1 : 1 + random.nextInt(levels.size());
    for (List<Descriptor.Entry> level : levels.subList(0, depth)) {
      if (level.isEmpty() || chance(20)) {
        entries.add(new Descriptor.Entry(one(KEYS), one(VALUES)));
      } else {
        Descriptor.Entry known = one(level);
        String value =
            known.value().isEmpty() ? one(VALUES) : known.value().replace("*", one(VALUES));
        entries.add(new Descriptor.Entry(known.key(), value));
      }
    }
    Rate override =
        kind == Kind.MIXED && chance(8)
            ? new Rate(1 + random.nextInt(5), one(SHORT_UNITS), "")
            : null;
    return new Descriptor(entries, hits(), false, override);
  }

  private @Nullable Long hits() {
    return switch (random.nextInt(20)) {
      case 0, 1 -> kind == Kind.BLOCKING ? null : Long.valueOf(0);
      case 2, 3 -> 1L + random.nextInt(6);
      case 4 -> chance(20) ? Long.valueOf(random.nextLong(MAX_HITS + 1)) : null;
      default -> null;
    };
  }

  /** A descriptor as the table writes it. */
  static String yaml(Descriptor descriptor) {
    String entries =
        descriptor.entries().stream()
            .map(entry -> "%s: '%s'".formatted(entry.key(), entry.value()))
            .collect(Collectors.joining(", ", "[", "]"));
    if (descriptor.hits() == null && descriptor.override() == null) {
      return entries;
    }
    String hits = descriptor.hits() == null ? "" : ", hits: " + descriptor.hits();
    String override = descriptor.override() == null ? "" : ", override: " + descriptor.override();
    return "{entries: " + entries + hits + override + "}";
  }
}
