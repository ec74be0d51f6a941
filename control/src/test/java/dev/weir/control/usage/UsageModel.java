package dev.weir.control.usage;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a row must say: everything is kept, and added up from the beginning each time. */
final class UsageModel {
  private final List<UsageDelta> all = new ArrayList<>();

  void add(UsageDelta delta) {
    all.add(delta);
  }

  /** The latest day on which anything was told. */
  @Nullable LocalDate day() {
    return all.stream()
        .map(delta -> LocalDate.ofEpochDay(delta.day()))
        .max(LocalDate::compareTo)
        .orElse(null);
  }

  /**
   * What was used on the latest day. What was told of it before a later day came, and what came
   * late, counts alike.
   */
  long today() {
    return all.stream()
        .filter(delta -> LocalDate.ofEpochDay(delta.day()).equals(day()))
        .mapToLong(UsageDelta::requests)
        .sum();
  }

  long thisMonth() {
    LocalDate latest = day();
    return latest == null
        ? 0
        : all.stream()
            .filter(
                delta ->
                    YearMonth.from(LocalDate.ofEpochDay(delta.day()))
                        .equals(YearMonth.from(latest)))
            .mapToLong(UsageDelta::requests)
            .sum();
  }

  long exceeded() {
    return all.stream().mapToLong(UsageDelta::exceeded).sum();
  }

  long total() {
    return all.stream().mapToLong(UsageDelta::requests).sum();
  }

  long lastMicros() {
    return all.stream().mapToLong(UsageDelta::lastMicros).max().orElse(0);
  }
}
