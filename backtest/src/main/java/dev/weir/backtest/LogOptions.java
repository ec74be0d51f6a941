package dev.weir.backtest;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * How logs are read.
 *
 * @param ipv6Prefix how many bits of IPv6 clients tell them apart
 * @param format of all files; empty: each is looked at
 * @param fields where lines of JSON have what, where that is not as usual
 * @param reorder how far back in time a line may lie behind those before it and still be sorted
 * @param isStrict whether the first bad line is the end
 * @param from the first instant that is wanted
 * @param to the first instant that is not wanted any more
 * @param refusedStatuses the statuses by which an access log says that a request was throttled;
 *     empty: it does not say
 */
public record LogOptions(
    int ipv6Prefix,
    Optional<LogFormat> format,
    FieldMapping fields,
    Duration reorder,
    boolean isStrict,
    Instant from,
    Instant to,
    Set<Integer> refusedStatuses) {

  /** How far back unless given. */
  public static final Duration USUAL_REORDER = Duration.ofSeconds(5);

  private static final Duration LONGEST_REORDER = Duration.ofHours(1);

  /** What no log is later than. */
  public static final Instant END = Instant.parse("2400-01-01T00:00:00Z");

  public LogOptions {
    refusedStatuses = Set.copyOf(refusedStatuses);
    if (reorder.isNegative() || reorder.compareTo(LONGEST_REORDER) > 0) {
      throw new IllegalArgumentException("reorder must be between 0 and 1 h, got " + reorder);
    }
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "from must be before to, got %s and %s".formatted(from, to));
    }
  }

  /** All that is there, in formats that are found out. */
  public static LogOptions usual(int ipv6Prefix) {
    return new LogOptions(
        ipv6Prefix,
        Optional.empty(),
        FieldMapping.NONE,
        USUAL_REORDER,
        false,
        Instant.EPOCH,
        END,
        Set.of());
  }

  /** The same with a format. */
  public LogOptions withFormat(LogFormat format) {
    return new LogOptions(
        ipv6Prefix, Optional.of(format), fields, reorder, isStrict, from, to, refusedStatuses);
  }

  /** The same with names of fields. */
  public LogOptions withFields(FieldMapping fields) {
    return new LogOptions(ipv6Prefix, format, fields, reorder, isStrict, from, to, refusedStatuses);
  }

  /** The same with another bound for sorting. */
  public LogOptions withReorder(Duration reorder) {
    return new LogOptions(ipv6Prefix, format, fields, reorder, isStrict, from, to, refusedStatuses);
  }

  /** The same, ending with the first bad line. */
  public LogOptions strict() {
    return new LogOptions(ipv6Prefix, format, fields, reorder, true, from, to, refusedStatuses);
  }

  /** The same with requests of that time only. */
  public LogOptions between(Instant from, Instant to) {
    return new LogOptions(ipv6Prefix, format, fields, reorder, isStrict, from, to, refusedStatuses);
  }

  /** The same where answers of these statuses were refusals. */
  public LogOptions withRefusedStatuses(Set<Integer> refusedStatuses) {
    return new LogOptions(ipv6Prefix, format, fields, reorder, isStrict, from, to, refusedStatuses);
  }
}
