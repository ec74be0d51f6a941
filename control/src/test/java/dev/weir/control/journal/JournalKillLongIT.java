package dev.weir.control.journal;

import dev.weir.testkit.TestLevel;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;

/** Kills at random moments. */
@Tag("long")
class JournalKillLongIT extends JournalKillContract {
  JournalKillLongIT() {
    super(TestLevel.amount("weir.control.journal.kills", 8, 50));
  }

  /** Anywhere in what the process does next. */
  @Override
  void beforeKill(SplittableRandom random) {
    LockSupport.parkNanos(random.nextInt(10_000_000));
  }
}
