package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Period;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * An operation on its way, and what the script has to be told for it besides its limits: states
 * that were counted under other limits may need more.
 */
final class Asked {
  final Operation operation;
  final CompletableFuture<Decision> answer = new CompletableFuture<>();

  /** The calendars that limits and states follow, by name. */
  Set<String> calendars = Set.of();

  /** Whether states may be logs although limits are not. */
  boolean mayMeetLogs;

  Asked(Operation operation) {
    this.operation = operation;
    for (Counter counter : operation.counters()) {
      if (counter.limit().period() instanceof Period.Calendar calendar) {
        needsCalendar(LimitCode.name(calendar));
      }
    }
  }

  void needsCalendar(String name) {
    Set<String> more = new TreeSet<>(calendars);
    more.add(name);
    calendars = more;
  }
}
