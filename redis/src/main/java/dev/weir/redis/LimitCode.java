package dev.weir.redis;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.io.IOException;
import java.math.BigInteger;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.msgpack.core.MessagePacker;

/** Limits and penalties as {@code apply.lua} reads them. */
final class LimitCode {
  private static final int BUCKET = 1;
  private static final int WINDOW = 2;
  private static final int SLIDING = 3;
  private static final int LOG = 4;
  private static final int FROM_EPOCH = 0;
  private static final int FROM_REQUEST = 1;
  private static final int CALENDAR = 2;

  /** A second, a minute, an hour and a day. */
  private static final List<Long> COMMON_PERIODS =
      List.of(1_000_000L, 60_000_000L, 3_600_000_000L, 86_400_000_000L);

  private static final int[] PRIMES = {2, 3, 5};
  private static final int[] MOST_FACTORS = {8, 2, 7};

  /** How many windows of a calendar go along, so that some lie before and behind now. */
  private static final int WINDOWS = 4;

  private LimitCode() {}

  static void write(Limit limit, MessagePacker out) throws IOException {
    if (limit instanceof TokenBucket bucket) {
      writeBucket(bucket, out);
    } else if (limit instanceof SlidingWindow window) {
      head(4, SLIDING, limit, window.period().micros(), out);
      out.packLong(window.period().micros());
    } else if (limit instanceof SlidingLog log) {
      head(4, LOG, limit, log.period().micros(), out);
      out.packLong(log.period().micros());
    } else {
      writeWindow((FixedWindow) limit, out);
    }
  }

  private static void writeBucket(TokenBucket limit, MessagePacker out) throws IOException {
    long micros = limit.period().micros();
    long divisor =
        BigInteger.valueOf(limit.permits()).gcd(BigInteger.valueOf(micros)).longValueExact();
    long ticks = limit.permits() / divisor;
    long permit = micros / divisor;
    long whole = permit / ticks;
    long rest = permit % ticks;
    long burst = limit.burst();
    head(9, BUCKET, limit, micros, out);
    out.packLong(whole).packLong(rest).packLong(ticks);
    out.packLong(burst * whole + burst * rest / ticks);
    out.packLong(burst * rest % ticks);
    int common = ticks == 1 ? commonSize(whole, burst) : 0;
    out.packString(common > 0 ? "" + common : whole + "," + rest + "," + ticks + "," + burst + ";");
  }

  /**
   * The number of a bucket that is filled in a common period; 0 if it has none. Its burst divides
   * the period, so that it is made of twos, threes and fives, and the number tells how many.
   */
  private static int commonSize(long whole, long burst) {
    int period = COMMON_PERIODS.indexOf(whole * burst);
    long rest = burst;
    int[] factors = new int[3];
    for (int i = 0; i < 3; i++) {
      while (rest % PRIMES[i] == 0 && factors[i] < MOST_FACTORS[i]) {
        rest /= PRIMES[i];
        factors[i]++;
      }
    }
    return period < 0 || rest > 1
        ? 0
        : 1 + ((period * 9 + factors[0]) * 3 + factors[1]) * 8 + factors[2];
  }

  private static void writeWindow(FixedWindow limit, MessagePacker out) throws IOException {
    if (limit.period() instanceof Period.Calendar calendar) {
      head(5, WINDOW, limit, 0, out);
      out.packInt(CALENDAR).packString(name(calendar));
      return;
    }
    long length = ((Period.Span) limit.period()).micros();
    head(5, WINDOW, limit, length, out);
    out.packInt(limit.align() == FixedWindow.Align.EPOCH ? FROM_EPOCH : FROM_REQUEST);
    out.packLong(length);
  }

  /** Writes the windows of a calendar around an instant: the one before, its own, and some more. */
  static void write(Period.Calendar calendar, long around, MessagePacker out) throws IOException {
    out.packArrayHeader(WINDOWS + 2).packString(name(calendar));
    long boundary = calendar.startMicros(Math.max(0, calendar.startMicros(around) - 1));
    for (int i = 0; i <= WINDOWS; i++) {
      out.packLong(boundary);
      boundary = calendar.endMicros(boundary);
    }
  }

  private static void head(int size, int algorithm, Limit limit, long window, MessagePacker out)
      throws IOException {
    out.packArrayHeader(size).packInt(algorithm).packLong(limit.capacity()).packLong(window);
  }

  /** Tells calendars apart. */
  static String name(Period.Calendar calendar) {
    return calendar.unit() + " " + calendar.zone();
  }

  /** The calendar that has that name. */
  static Period.Calendar calendar(String name) {
    int space = name.indexOf(' ');
    return new Period.Calendar(
        Period.CalendarUnit.valueOf(name.substring(0, space)),
        ZoneId.of(name.substring(space + 1)));
  }

  static void write(Penalty penalty, MessagePacker out) throws IOException {
    out.packArrayHeader(2 + penalty.multipliers().size());
    // Rounded up, as a span that a violation is remembered for at least.
    out.packLong(
        penalty.detectionWindow().plusNanos(999).truncatedTo(ChronoUnit.MICROS).toNanos() / 1_000);
    out.packInt(penalty.violationThreshold());
    for (int multiplier : penalty.multipliers()) {
      out.packInt(multiplier);
    }
  }
}
