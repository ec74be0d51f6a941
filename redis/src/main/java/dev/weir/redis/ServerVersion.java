package dev.weir.redis;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of a server, and what is known of it.
 *
 * @param product {@code Redis} or {@code Valkey}, whose numbers differ
 */
record ServerVersion(String product, int major, int minor, int patch) {
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6}).*");
  private static final String REDIS = "Redis";
  private static final String VALKEY = "Valkey";

  /** The first of each line without CVE-2025-49844, 46817, 46818 and 46819; the newest last. */
  private static final List<ServerVersion> FIXED_REDIS =
      List.of(
          new ServerVersion(REDIS, 6, 2, 20),
          new ServerVersion(REDIS, 7, 2, 11),
          new ServerVersion(REDIS, 7, 4, 6),
          new ServerVersion(REDIS, 8, 0, 4),
          new ServerVersion(REDIS, 8, 2, 2));

  private static final List<ServerVersion> FIXED_VALKEY =
      List.of(
          new ServerVersion(VALKEY, 7, 2, 11),
          new ServerVersion(VALKEY, 8, 0, 6),
          new ServerVersion(VALKEY, 8, 1, 4));

  static @Nullable ServerVersion redis(String numbers) {
    return read(REDIS, numbers);
  }

  static @Nullable ServerVersion valkey(String numbers) {
    return read(VALKEY, numbers);
  }

  private static @Nullable ServerVersion read(String product, String numbers) {
    Matcher matcher = NUMBERS.matcher(numbers);
    return matcher.matches()
        ? new ServerVersion(
            product,
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3)))
        : null;
  }

  /** What is wrong with this version, in words. */
  Optional<String> warning() {
    if (isBeforeLine(6, 2)) {
      return Optional.of("%s is older than 6.2, the oldest that this store is for".formatted(this));
    }
    List<ServerVersion> fixed = product.equals(VALKEY) ? FIXED_VALKEY : FIXED_REDIS;
    for (ServerVersion first : fixed) {
      if (first.major == major && first.minor == minor) {
        return patch < first.patch ? mayHaveBugs(first.numbers() + " has not") : Optional.empty();
      }
    }
    ServerVersion newest = fixed.get(fixed.size() - 1);
    return isBeforeLine(newest.major, newest.minor)
        ? mayHaveBugs(
            "no %d.%d was published without, but distributions patch theirs"
                .formatted(major, minor))
        : Optional.empty();
  }

  private Optional<String> mayHaveBugs(String rest) {
    return Optional.of(
        "%s may have bugs by which scripts run any code (CVE-2025-49844 and others); %s"
            .formatted(this, rest));
  }

  private boolean isBeforeLine(int otherMajor, int otherMinor) {
    return major < otherMajor || (major == otherMajor && minor < otherMinor);
  }

  private String numbers() {
    return "%d.%d.%d".formatted(major, minor, patch);
  }

  /** Such as {@code Redis 7.0.15}. */
  @Override
  public String toString() {
    return product + " " + numbers();
  }
}
