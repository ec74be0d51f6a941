package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.Period;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something on its way to one server, and what the script has to be told for it besides its limits:
 * states that were counted under other limits may need more.
 *
 * <p>What is not final is written before it is sent or before the answer is completed, by one
 * thread at a time.
 */
final class Asked {
  final Verb verb;
  final long cost;
  final List<Counter> counters;
  final List<PenaltyCounter> penalties;

  /** What can go in one call together; see {@link Servers#place}. */
  final int place;

  final long sinceNanos = System.nanoTime();
  final CompletableFuture<Decision> answer = new CompletableFuture<>();

  /** What to remember if it is refused. */
  Refusals.@Nullable Ticket ticket;

  /** The time that the server shall use; see {@link ServerClock#toUse}. */
  long timeMicros = ServerClock.SERVERS_OWN;

  /** Of an answer that a penalty runs: how much longer. */
  long penaltyMicros;

  /** Of an answer to {@link Verb#PART}: nothing was done, since it could not be undone. */
  boolean needsConsent;

  /** The calendars that limits and states follow, by name. */
  Set<String> calendars = Set.of();

  /** Whether states may be logs although limits are not. */
  boolean mayMeetLogs;

  /** Whether it must not share a call: its slot is on the move, and others may be elsewhere. */
  boolean isAlone;

  /** Whether the server was told to be the next home of the slot. */
  boolean isForImport;

  Asked(Verb verb, long cost, List<Counter> counters, List<PenaltyCounter> penalties, int place) {
    this.verb = verb;
    this.cost = cost;
    this.counters = counters;
    this.penalties = penalties;
    this.place = place;
    for (Counter counter : counters) {
      if (counter.limit().period() instanceof Period.Calendar calendar) {
        needsCalendar(LimitCode.name(calendar));
      }
    }
  }

  /** The whole of an operation. */
  Asked(Operation operation, int place) {
    this(
        Verb.of(operation),
        Verb.costOf(operation),
        operation.counters(),
        operation.penalties(),
        place);
  }

  void complete(Decision decision) {
    if (ticket != null && !decision.allowed()) {
      ticket.answered(decision, penaltyMicros);
    }
    answer.complete(decision);
  }

  void fail(RedisStoreException.Kind kind, String message, @Nullable Throwable cause) {
    answer.completeExceptionally(new RedisStoreException(kind, message, cause));
  }

  void needsCalendar(String name) {
    Set<String> more = new TreeSet<>(calendars);
    more.add(name);
    calendars = more;
  }
}
