package dev.weir.redis;

import dev.weir.LimitStatus;
import java.util.List;

/** Which limit decides when none refuses. */
final class Closest {
  private Closest() {}

  /** The limit with the least left; of equals that which is reset last, of these the first. */
  static int of(List<LimitStatus> limits) {
    int closest = 0;
    for (int i = 1; i < limits.size(); i++) {
      LimitStatus best = limits.get(closest);
      LimitStatus other = limits.get(i);
      if (other.remaining() < best.remaining()
          || (other.remaining() == best.remaining() && other.resetMicros() > best.resetMicros())) {
        closest = i;
      }
    }
    return closest;
  }
}
