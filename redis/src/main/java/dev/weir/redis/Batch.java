package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import dev.weir.Reason;
import dev.weir.SlidingLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** Operations for one call of {@code apply.lua}: what it is asked, and what it answers. */
final class Batch {
  /** More than any limit can have; a cost above it means the same. */
  private static final long MOST_COST = 1L << 50;

  private static final Reason[] REASONS = Reason.values();
  private static final int MISS_WINDOWS = 10;
  private static final int MISS_LOG = 11;
  private static final int TOO_LATE_FOR_ALL = -1;
  private static final int CONSENT = 12;

  private final KeyNames names;
  private final List<Asked> all = new ArrayList<>();
  private final Map<String, Integer> states = new LinkedHashMap<>();
  private final Set<String> logs = new LinkedHashSet<>();
  private final Map<Limit, Integer> limits = new LinkedHashMap<>();
  private final Map<Penalty, Integer> penalties = new LinkedHashMap<>();
  private final Set<String> calendars = new LinkedHashSet<>();
  private long[] code = new long[64];
  private int codeSize;

  /** The last one, and where it is said how many of its kind follow each other. */
  private @Nullable Asked like;

  private int run;

  private final int place;
  private final long timeMicros;
  private final boolean isAlone;
  private final boolean isForImport;

  private Batch(KeyNames names, int place, long timeMicros, boolean isAlone, boolean isForImport) {
    this.names = names;
    this.place = place;
    this.timeMicros = timeMicros;
    this.isAlone = isAlone;
    this.isForImport = isForImport;
  }

  /** For that one, which is not in it yet, and those that can go with it. */
  Batch(KeyNames names, Asked first) {
    this(names, first.place, first.timeMicros, first.isAlone, first.isForImport);
  }

  /** For nothing: the script is loaded and tells the time. */
  static Batch empty(KeyNames names) {
    return new Batch(names, 0, ServerClock.SERVERS_OWN, true, false);
  }

  /** Whether that can go along. */
  boolean isFor(Asked asked) {
    return asked.place == place
        && asked.timeMicros == timeMicros
        && asked.isForImport == isForImport
        && (all.isEmpty() || !(isAlone || asked.isAlone));
  }

  /** Whether it goes to a server that is about to take over the slot. */
  boolean isForImport() {
    return isForImport;
  }

  List<Asked> all() {
    return all;
  }

  void add(Asked asked) {
    all.add(asked);
    calendars.addAll(asked.calendars);
    if (!isLike(asked)) {
      like = asked;
      run = codeSize;
      put(0);
      put(asked.verb.code);
      put(Math.min(asked.cost, MOST_COST));
      put(asked.counters.size());
      put(asked.penalties.size());
    }
    code[run]++;
    for (Counter counter : asked.counters) {
      String key = names.counter(counter.name(), counter.key());
      put(place(states, key));
      put(place(limits, counter.limit()));
      if (asked.mayMeetLogs || counter.limit() instanceof SlidingLog) {
        logs.add(key);
      }
    }
    for (PenaltyCounter counter : asked.penalties) {
      put(place(states, names.penalty(counter.name(), counter.key())));
      put(place(penalties, counter.penalty()));
    }
  }

  /** Whether it is of the same kind as the one before, so that it need not be said again. */
  private boolean isLike(Asked asked) {
    return like != null
        && like.verb == asked.verb
        && like.cost == asked.cost
        && like.counters.size() == asked.counters.size()
        && like.penalties.size() == asked.penalties.size();
  }

  private void put(long word) {
    if (codeSize == code.length) {
      code = Arrays.copyOf(code, 2 * codeSize);
    }
    code[codeSize++] = word;
  }

  private static <T> int place(Map<T, Integer> places, T item) {
    return places.computeIfAbsent(item, absent -> places.size() + 1);
  }

  byte[][] keys() {
    List<byte[]> keys = new ArrayList<>();
    states.keySet().forEach(key -> keys.add(bytes(key)));
    logs.forEach(key -> keys.add(bytes(KeyNames.entries(key))));
    return keys.toArray(new byte[0][]);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What the script is asked.
   *
   * @param deadline the last instant at which the answer is waited for; 0 if there is none
   * @param around about the time of the server
   * @param channel where it tells which counters have more room; empty for nowhere
   */
  byte[] request(long deadline, long around, String channel) {
    try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
      out.packArrayHeader(9).packLong(timeMicros).packLong(deadline).packInt(states.size());
      writeLogs(out);
      out.packArrayHeader(limits.size());
      for (Limit limit : limits.keySet()) {
        LimitCode.write(limit, out);
      }
      out.packArrayHeader(penalties.size());
      for (Penalty penalty : penalties.keySet()) {
        LimitCode.write(penalty, out);
      }
      out.packArrayHeader(calendars.size());
      for (String calendar : calendars) {
        LimitCode.write(LimitCode.calendar(calendar), timeMicros < 0 ? around : timeMicros, out);
      }
      out.packArrayHeader(codeSize);
      for (int i = 0; i < codeSize; i++) {
        out.packLong(code[i]);
      }
      out.packString(channel);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer does not fail", impossible);
    }
  }

  private void writeLogs(MessagePacker out) throws IOException {
    out.packArrayHeader(2 * logs.size());
    int place = states.size();
    for (String log : logs) {
      place++;
      out.packInt(states.getOrDefault(log, 0)).packInt(place);
    }
  }

  /**
   * Reads what the script answered and completes what was asked.
   *
   * @param time is told what the server's clock said
   * @return what has to be asked again, with what it missed
   */
  List<Asked> read(byte[] reply, LongConsumer time) {
    List<Asked> again = new ArrayList<>();
    try (MessageUnpacker in = MessagePack.newDefaultUnpacker(reply)) {
      in.unpackArrayHeader();
      long now = in.unpackLong();
      time.accept(now);
      int passed = in.unpackInt();
      if (passed == TOO_LATE_FOR_ALL) {
        return all;
      }
      for (int i = 0; i < all.size(); i++) {
        Asked asked = all.get(i);
        int reason = i < passed ? 0 : in.unpackInt();
        if (reason == MISS_WINDOWS) {
          asked.needsCalendar(in.unpackString());
          again.add(asked);
        } else if (reason == MISS_LOG) {
          in.unpackString();
          asked.mayMeetLogs = true;
          again.add(asked);
        } else if (reason == CONSENT) {
          in.unpackString();
          asked.needsConsent = true;
          asked.answer.complete(new Decision(Reason.WITHIN_LIMITS, now, 0, 0, List.of()));
        } else {
          asked.complete(decision(asked, REASONS[reason], now, in));
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the script's answer cannot be read", unreadable);
    }
    return again;
  }

  private static Decision decision(Asked asked, Reason reason, long now, MessageUnpacker in)
      throws IOException {
    long retryAfter = 0;
    int decisive = -1;
    if (reason == Reason.PENALTY) {
      retryAfter = in.unpackLong();
      asked.penaltyMicros = in.unpackLong();
    } else if (reason != Reason.WITHIN_LIMITS) {
      retryAfter = in.unpackLong();
      decisive = in.unpackInt();
    } else if (asked.verb == Verb.VIOLATE) {
      retryAfter = in.unpackLong();
    }
    LimitStatus[] statuses = new LimitStatus[asked.counters.size()];
    for (int i = 0; i < statuses.length; i++) {
      Counter counter = asked.counters.get(i);
      statuses[i] =
          new LimitStatus(counter.name(), counter.limit(), in.unpackLong(), in.unpackLong());
    }
    List<LimitStatus> limits = List.of(statuses);
    return new Decision(
        reason, now, retryAfter, decisive < 0 ? Closest.of(limits) : decisive, limits);
  }
}
