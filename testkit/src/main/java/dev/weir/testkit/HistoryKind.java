package dev.weir.testkit;

import dev.weir.Algorithm;
import java.util.List;

/** What random histories are about: one algorithm, or all of them with penalties. */
enum HistoryKind {
  TOKEN_BUCKET,
  FIXED_WINDOW,
  SLIDING_WINDOW,
  SLIDING_LOG,
  MIXED;

  List<Algorithm> algorithms() {
    return this == MIXED ? List.of(Algorithm.values()) : List.of(Algorithm.valueOf(name()));
  }
}
