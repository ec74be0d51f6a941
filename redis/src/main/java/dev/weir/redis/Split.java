package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.Period;
import dev.weir.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An operation on counters that no single call can reach, such as those of a user and those of
 * everybody in a cluster.
 *
 * <p>Each part acquires on its own, all at the same time. If any refuses or fails, those that
 * granted give back, so that nothing more gets through than the limits allow; in between others may
 * be refused that would have got through. For one caller after the other the decisions are those of
 * {@code docs/semantics.md}: a charge that could not be given back without a trace asks for
 * consent, and then all parts are looked at before any is charged; and violations are recorded when
 * it is known which limit refused.
 *
 * <p>The parts answer before the next step begins, so that one thread at a time works here.
 */
final class Split {
  private final Servers servers;
  private final Operation operation;
  private final Verb verb;
  private final long cost;
  private final Collection<Part> parts;

  /** What lives in one place, and what it answered last. */
  private static final class Part {
    final int place;
    final List<Counter> counters = new ArrayList<>();
    final List<PenaltyCounter> penalties = new ArrayList<>();

    /** Of each counter its index in the operation. */
    final List<Integer> indexes = new ArrayList<>();

    Decision decision = new Decision(Reason.WITHIN_LIMITS, 0, 0, 0, List.of());
    long penaltyMicros;
    boolean isCharged;
    boolean needsConsent;
    @Nullable RedisStoreException failure;

    Part(int place) {
      this.place = place;
    }

    CompletableFuture<?> ask(Verb how, long amount, Servers servers) {
      Asked asked = new Asked(how, amount, counters, penalties, place);
      servers.bring(asked);
      return asked.answer.handle(
          (answer, failed) -> {
            failure = RedisStoreException.of(failed);
            if (answer != null) {
              needsConsent = asked.needsConsent;
              isCharged = how.charges() && answer.allowed() && !needsConsent;
              penaltyMicros = asked.penaltyMicros;
              decision = needsConsent ? decision : answer;
            }
            return answer;
          });
    }
  }

  private Split(Servers servers, Operation operation, Collection<Part> parts) {
    this.servers = servers;
    this.operation = operation;
    this.verb = Verb.of(operation);
    this.cost = Verb.costOf(operation);
    this.parts = parts;
  }

  /** The operation in parts; one if it is all in one place. */
  static Split of(Operation operation, Servers servers) {
    Map<Integer, Part> parts = new TreeMap<>();
    for (int i = 0; i < operation.counters().size(); i++) {
      Counter counter = operation.counters().get(i);
      Part part = parts.computeIfAbsent(servers.place(counter.key()), Part::new);
      part.counters.add(counter);
      part.indexes.add(i);
    }
    for (PenaltyCounter counter : operation.penalties()) {
      parts.computeIfAbsent(servers.place(counter.key()), Part::new).penalties.add(counter);
    }
    return new Split(servers, operation, parts.values());
  }

  /** Where the parts live. */
  int[] places() {
    return parts.stream().mapToInt(part -> part.place).toArray();
  }

  /** The rest of a running penalty, once all is answered. */
  long penaltyMicros() {
    return parts.stream().mapToLong(part -> part.penaltyMicros).max().orElse(0);
  }

  CompletionStage<Decision> apply() {
    return switch (verb) {
      case ACQUIRE -> ask(Verb.PART).thenCompose(answered -> acquired());
      case PEEK -> ask(Verb.PEEK_PART).thenApply(answered -> decision(0));
      default -> ask(verb).thenApply(answered -> decision(0));
    };
  }

  /** Asks all parts; fails if one failed, but not before all have answered. */
  private CompletionStage<?> ask(Verb how) {
    return all(part -> true, part -> part.ask(how, cost, servers))
        .thenAccept(
            answered -> {
              for (Part part : parts) {
                if (part.failure != null) {
                  all(charged -> charged.isCharged, this::giveBack);
                  throw part.failure;
                }
              }
            });
  }

  private CompletionStage<?> all(Predicate<Part> which, Function<Part, CompletableFuture<?>> step) {
    return CompletableFuture.allOf(
        parts.stream().filter(which).map(step).toArray(CompletableFuture<?>[]::new));
  }

  /** If that fails, fewer get through than could; nobody is to be told. */
  private CompletableFuture<?> giveBack(Part part) {
    return part.ask(Verb.REFUND, cost, servers);
  }

  private CompletionStage<Decision> acquired() {
    if (parts.stream().anyMatch(part -> part.needsConsent)) {
      return all(part -> part.isCharged, this::giveBack)
          .thenCompose(given -> ask(Verb.PEEK_PART))
          .thenCompose(looked -> isGranted() ? surely() : refused());
    }
    return isGranted() ? CompletableFuture.completedStage(decision(0)) : refused();
  }

  private CompletionStage<Decision> surely() {
    return ask(Verb.PART_SURE).thenCompose(answered -> acquired());
  }

  private boolean isGranted() {
    return parts.stream().allMatch(part -> part.decision.allowed());
  }

  /** Gives back what was charged, and records the violation. */
  private CompletionStage<Decision> refused() {
    Decision first = decision(0);
    CompletionStage<?> given = all(part -> part.isCharged, this::giveBack);
    if (first.reason() == Reason.PENALTY) {
      return given.thenApply(done -> decision(0));
    }
    long window = windowMicros(first.status().limit(), first.atMicros());
    List<Asked> violations = new ArrayList<>();
    for (Part part : parts) {
      if (!part.penalties.isEmpty()) {
        Asked violation = new Asked(Verb.VIOLATE, window, List.of(), part.penalties, part.place);
        violations.add(violation);
        servers.bring(violation);
      }
    }
    return CompletableFuture.allOf(
            violations.stream().map(asked -> asked.answer).toArray(CompletableFuture<?>[]::new))
        .handle((done, failure) -> violations)
        .thenCombine(given, (recorded, done) -> decision(started(recorded)));
  }

  /** How long the penalty is that these violations started. */
  private static long started(List<Asked> violations) {
    long longest = 0;
    for (Asked violation : violations) {
      if (!violation.answer.isCompletedExceptionally()) {
        longest = Math.max(longest, violation.answer.join().retryAfterMicros());
      }
    }
    return longest;
  }

  private static long windowMicros(Limit limit, long at) {
    return limit.period() instanceof Period.Calendar calendar
        ? calendar.endMicros(at) - calendar.startMicros(at)
        : ((Period.Span) limit.period()).micros();
  }

  /**
   * What the parts have answered, as one decision.
   *
   * @param started how long the penalty is that this request started
   */
  private Decision decision(long started) {
    LimitStatus[] statuses = new LimitStatus[operation.counters().size()];
    long at = 0;
    long wait = 0;
    int refusing = -1;
    for (Part part : parts) {
      Decision answer = part.decision;
      at = Math.max(at, answer.atMicros());
      for (int i = 0; i < part.counters.size(); i++) {
        statuses[part.indexes.get(i)] = answer.limits().get(i);
      }
      long own = answer.retryAfterMicros();
      if (own > 0) {
        int index = part.indexes.get(answer.decisive());
        if (own > wait || (own == wait && index < refusing)) {
          wait = own;
          refusing = index;
        }
      }
    }
    List<LimitStatus> limits = List.of(statuses);
    int excessive = verb == Verb.ACQUIRE || verb == Verb.PEEK ? excessive() : -1;
    long penalty = penaltyMicros();
    if (penalty > 0) {
      long retry = excessive < 0 ? Math.max(penalty, wait) : penalty;
      return new Decision(Reason.PENALTY, at, retry, Closest.of(limits), limits);
    }
    if (excessive >= 0) {
      return new Decision(Reason.COST_EXCEEDS_LIMIT, at, 0, excessive, limits);
    }
    return refusing >= 0
        ? new Decision(Reason.LIMIT_EXCEEDED, at, Math.max(wait, started), refusing, limits)
        : new Decision(Reason.WITHIN_LIMITS, at, 0, Closest.of(limits), limits);
  }

  /** The first counter whose capacity is below the cost; -1 if there is none. */
  private int excessive() {
    List<Counter> counters = operation.counters();
    for (int i = 0; i < counters.size(); i++) {
      if (counters.get(i).limit().capacity() < cost) {
        return i;
      }
    }
    return -1;
  }
}
