package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much a short run measures, on the real clock. */
@Tag("long")
class RedisLoadLongIT {

  @Test
  void measuresThroughputAndProcessorTime() throws InterruptedException {
    RedisRun run = RedisLoad.run(RedisContender.EVALSHA, 100, RedisLoad.Pace.QUICK);

    assertThat(run.loads()).extracting(RedisRun.Load::inFlight).containsExactly(64, 256, 1_024);
    assertThat(run.loads())
        .allSatisfy(
            load -> {
              assertThat(load.scriptCalls()).isEqualTo(1);
              assertThat(load.failed() + load.wrong()).isZero();
              assertThat(load.perSecond()).isGreaterThan(10);
              assertThat(load.p99Micros()).isGreaterThanOrEqualTo(load.p50Micros());
              assertThat(load.redisCpu()).isPositive();
            });
    assertThat(run.calm().perSecond()).isBetween(10.0, 1_010.0);
    assertThat(run.memory().redisKeys()).isEqualTo(1);
    assertThat(run.memory().bytes()).isBetween(50L, 200L);
  }

  @Test
  void manyDecisionsOfWeirShareACall() throws InterruptedException {
    RedisRun run = RedisLoad.run(RedisContender.WEIR, 100, RedisLoad.Pace.QUICK);

    assertThat(run.loads()).allSatisfy(load -> assertThat(load.scriptCalls()).isLessThan(0.5));
    assertThat(run.calm().scriptCalls()).isEqualTo(1);
  }
}
