package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.journal.JournalOptions;
import dev.weir.testkit.TestLevel;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;

/** The service is killed often, and nothing is lost that is older than the sync interval. */
@Tag("long")
class ServiceKilledLongIT extends ServiceKilledIT {
  /**
   * How old a decision may be that a kill takes with it. Records are on their way to disk after the
   * interval, and are there after one sync: of a record that comes while another sync runs, that
   * one's end is waited for too. A sync takes milliseconds, and tenths of a second on a disk that
   * others keep busy.
   */
  private static final Duration OLDEST_LOST =
      JournalOptions.defaults().syncInterval().plus(Duration.ofMillis(400));

  @Override
  int kills() {
    return TestLevel.amount("weir.service.kills", 4, 50);
  }

  @Override
  LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  void judge(String database, long oldestLost) {
    System.out.printf(
        "%s: the oldest lost decision was answered %d ms before its kill%n",
        database, oldestLost / 1_000_000);
    assertThat(Duration.ofNanos(oldestLost)).isLessThan(OLDEST_LOST);
  }
}
