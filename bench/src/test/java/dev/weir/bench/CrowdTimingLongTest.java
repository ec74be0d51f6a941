package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How {@link Crowd} measures time, on the real clock. */
@Tag("long")
class CrowdTimingLongTest {

  private static Iterator<String> keys(int count) {
    return Collections.nCopies(count, "user:1").iterator();
  }

  @Test
  void measuresHowLongAnAnswerTakes() throws InterruptedException {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger maxInFlight = new AtomicInteger();
    Executor server = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
    Crowd.Request request =
        key -> {
          int now = inFlight.incrementAndGet();
          maxInFlight.accumulateAndGet(now, Math::max);
          return CompletableFuture.supplyAsync(() -> inFlight.decrementAndGet() >= 0, server);
        };

    Tally tally = Crowd.start(request, true, 8, client -> keys(20)).await();

    assertThat(tally.count()).isEqualTo(160);
    assertThat(tally.failed() + tally.wrong()).isZero();
    assertThat(maxInFlight).hasValueBetween(2, 8);
    assertThat(tally.micros(50)).isGreaterThan(900);
  }

  @Test
  void asksOneByOneAtItsRate() throws InterruptedException {
    long start = System.nanoTime();

    Tally tally =
        Crowd.oneByOne(key -> CompletableFuture.completedFuture(true), true, 100, 11, keys(11));

    assertThat(tally.count()).isEqualTo(11);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000);
  }
}
