package dev.weir.cli;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.Period;
import dev.weir.TimeSource;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replays requests against a limit on a virtual clock; the same input gives the same outcome. */
final class Simulation {

  /** A Monday and the first of a month and a year, so that every calendar window starts here. */
  private static final LocalDate FIRST_DAY = LocalDate.of(2024, 1, 1);

  private final Instant start;
  private final ManualTime time;
  private final MemoryCounterStore store;
  private final Operation acquire;
  private final Operation peek;
  private final long lengthMicros;
  private final long sliceMicros;

  private final List<Outcome.Slice> timeline = new ArrayList<>();
  private long sliceStart;
  private long sliceAllowed;
  private long sliceRefused;
  private long allowed;
  private long refused;
  private long firstRefusal;
  private long firstRetryAfter;
  private long run;
  private long runFrom;
  private long longestRun;
  private long longestFrom;
  private long longestTo;

  private Simulation(Limit limit, long cost, long lengthMicros, long sliceMicros) {
    this.start = start(limit);
    this.time = TimeSource.manual(start);
    this.store = new MemoryCounterStore(time, 1_000);
    List<Counter> counters = List.of(new Counter("try", "", limit));
    this.acquire = new Operation.Acquire(counters, cost);
    this.peek = new Operation.Peek(counters, 0);
    this.lengthMicros = lengthMicros;
    this.sliceMicros = sliceMicros;
  }

  static Outcome run(Limit limit, Arrivals arrivals, long cost, long sliceMicros) {
    Simulation simulation = new Simulation(limit, cost, arrivals.lengthMicros(), sliceMicros);
    try (simulation.store) {
      arrivals.forEach(simulation::arrive);
      simulation.closeSlicesBefore(arrivals.lengthMicros() + sliceMicros);
    }
    return simulation.outcome();
  }

  /** The first day, moved on to where a window of the limit's period starts. */
  private static Instant start(Limit limit) {
    if (limit.period() instanceof Period.Calendar calendar) {
      return FIRST_DAY.atStartOfDay(calendar.zone()).toInstant();
    }
    Instant midnight = FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant();
    if (limit.period() instanceof Period.Span span) {
      long sinceWindow = midnight.toEpochMilli() % span.toDuration().toMillis();
      return sinceWindow == 0
          ? midnight
          : midnight.minusMillis(sinceWindow).plus(span.toDuration());
    }
    return midnight;
  }

  private void arrive(long atMicros) {
    closeSlicesBefore(atMicros);
    Decision decision = at(atMicros, acquire);
    if (decision.allowed()) {
      allowed++;
      sliceAllowed++;
      run = 0;
    } else {
      refuse(atMicros, decision);
    }
  }

  private void refuse(long atMicros, Decision decision) {
    if (refused == 0) {
      firstRefusal = atMicros;
      firstRetryAfter = decision.retryAfterMicros();
    }
    refused++;
    sliceRefused++;
    if (run == 0) {
      runFrom = atMicros;
    }
    run++;
    if (run > longestRun) {
      longestRun = run;
      longestFrom = runFrom;
      longestTo = atMicros;
    }
  }

  private void closeSlicesBefore(long atMicros) {
    while (sliceStart < lengthMicros && sliceStart + sliceMicros <= atMicros) {
      long end = Math.min(sliceStart + sliceMicros, lengthMicros);
      long remaining = at(end - 1, peek).remaining();
      timeline.add(new Outcome.Slice(sliceStart, sliceAllowed, sliceRefused, remaining));
      sliceStart += sliceMicros;
      sliceAllowed = 0;
      sliceRefused = 0;
    }
  }

  private Decision at(long offsetMicros, Operation operation) {
    time.set(start.plus(offsetMicros, ChronoUnit.MICROS));
    return store.applyNow(operation);
  }

  private Outcome outcome() {
    Optional<Outcome.Refusals> refusals =
        refused == 0
            ? Optional.empty()
            : Optional.of(
                new Outcome.Refusals(
                    firstRefusal, firstRetryAfter, longestRun, longestFrom, longestTo));
    return new Outcome(allowed, refused, refusals, sliceMicros, List.copyOf(timeline));
  }
}
