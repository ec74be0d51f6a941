package dev.weir.server.envoy;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Charges several descriptors of a request, all of them or none. Those that cost the same are one
 * operation of the store. If costs differ, there is one for each cost, one after the other; what
 * was charged is given back if a later one refuses.
 */
final class AllOrNothing {

  /** One counter; several descriptors may be about it. */
  private record Charge(Counter counter, RuleLimit limit, List<Check> checks) {
    long hits() {
      long hits = 0;
      for (Check check : checks) {
        hits += check.hits();
      }
      return hits;
    }
  }

  /** Counters that are charged the same. */
  private record Group(long hits, List<Charge> charges) {
    List<Counter> counters() {
      return charges.stream().map(Charge::counter).toList();
    }

    void granted(Decision decision) {
      for (int i = 0; i < charges.size(); i++) {
        Charge charge = charges.get(i);
        for (Check check : charge.checks) {
          check.granted(decision, decision.limits().get(i), charge.limit);
        }
      }
    }
  }

  private final CounterStore store;
  private final List<Group> groups;
  private final boolean isBlocked;

  /**
   * Prepares the descriptors of a request.
   *
   * @param checks those with a limit of 0 are decided elsewhere, and refuse all others
   * @param share the part of each limit that applies
   */
  AllOrNothing(CounterStore store, List<Check> checks, UnaryOperator<RuleLimit> share) {
    this.store = store;
    this.groups = groups(checks, share);
    this.isBlocked = checks.stream().anyMatch(Check::isBlocked);
  }

  private static List<Group> groups(List<Check> checks, UnaryOperator<RuleLimit> share) {
    record Key(String name, String key) {}
    Map<Key, Charge> charges = new LinkedHashMap<>();
    for (Check check : checks) {
      RuleLimit whole = check.limit();
      if (whole != null) {
        RuleLimit limit = share.apply(whole);
        Counter counter = check.counter(limit.own());
        charges
            .computeIfAbsent(
                new Key(counter.name(), counter.key()),
                any -> new Charge(counter, limit, new ArrayList<>()))
            .checks
            .add(check);
      }
    }
    Map<Long, List<Charge>> byHits = new TreeMap<>();
    for (Charge charge : charges.values()) {
      byHits.computeIfAbsent(charge.hits(), any -> new ArrayList<>()).add(charge);
    }
    List<Group> groups = new ArrayList<>();
    byHits.forEach((hits, group) -> groups.add(new Group(hits, group)));
    return groups;
  }

  /** Charges all or none, and tells the descriptors; fails if the store does. */
  CompletableFuture<@Nullable Void> apply() {
    return isBlocked ? lookFrom(0) : acquireFrom(0, new ArrayList<>());
  }

  private CompletableFuture<@Nullable Void> acquireFrom(int index, List<Decision> granted) {
    if (index == groups.size()) {
      for (int i = 0; i < index; i++) {
        groups.get(i).granted(granted.get(i));
      }
      return done();
    }
    Group group = groups.get(index);
    return ask(new Operation.Acquire(group.counters(), group.hits))
        .exceptionallyCompose(failure -> giveUp(index, failure))
        .thenCompose(
            decision -> {
              if (decision.allowed()) {
                granted.add(decision);
                return acquireFrom(index + 1, granted);
              }
              notCharged(group, decision);
              return CompletableFuture.allOf(giveBack(index), lookFrom(index + 1));
            });
  }

  /** The request was refused, be it by one of the group or by others. */
  private static void notCharged(Group group, Decision decision) {
    for (int i = 0; i < group.charges.size(); i++) {
      Charge charge = group.charges.get(i);
      LimitStatus status = decision.limits().get(i);
      boolean hasNoRoom = !decision.allowed() && status.remaining() < group.hits;
      for (Check check : charge.checks) {
        check.notCharged(hasNoRoom, decision, status, charge.limit);
      }
    }
  }

  /** The store has failed; whoever decides in its place tells the descriptors. */
  private CompletableFuture<Decision> giveUp(int end, Throwable failure) {
    List<CompletableFuture<?>> given = new ArrayList<>();
    for (Group group : groups.subList(0, end)) {
      given.add(refund(group));
    }
    return all(given)
        .handle(
            (done, again) -> {
              throw new CompletionException(failure);
            });
  }

  /** Gives back what the groups before that one were charged. */
  private CompletableFuture<@Nullable Void> giveBack(int end) {
    List<CompletableFuture<?>> given = new ArrayList<>();
    for (Group group : groups.subList(0, end)) {
      given.add(refund(group).thenAccept(decision -> notCharged(group, decision)));
    }
    return all(given);
  }

  private CompletableFuture<Decision> refund(Group group) {
    return ask(new Operation.Refund(group.counters(), group.hits));
  }

  /** How the groups from that one on stand. */
  private CompletableFuture<@Nullable Void> lookFrom(int start) {
    List<CompletableFuture<?>> looked = new ArrayList<>();
    for (Group group : groups.subList(start, groups.size())) {
      looked.add(
          ask(new Operation.Peek(group.counters(), group.hits))
              .thenAccept(decision -> notCharged(group, decision)));
    }
    return all(looked);
  }

  private CompletableFuture<Decision> ask(Operation operation) {
    try {
      CompletionStage<Decision> answer = store.apply(operation);
      return answer.toCompletableFuture();
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private static CompletableFuture<@Nullable Void> all(List<CompletableFuture<?>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  private static CompletableFuture<@Nullable Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
