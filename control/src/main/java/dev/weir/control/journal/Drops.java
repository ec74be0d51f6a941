package dev.weir.control.journal;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** How many records were dropped, by cause. */
final class Drops {
  private final Map<DropCause, LongAdder> byCause = new EnumMap<>(DropCause.class);

  Drops() {
    for (DropCause cause : DropCause.values()) {
      byCause.put(cause, new LongAdder());
    }
  }

  void add(DropCause cause, long records) {
    Objects.requireNonNull(byCause.get(cause)).add(records);
  }

  Map<DropCause, Long> counts() {
    Map<DropCause, Long> counts = new EnumMap<>(DropCause.class);
    byCause.forEach((cause, count) -> counts.put(cause, count.sum()));
    return counts;
  }
}
