package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisServer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedisLoadIT {

  @ParameterizedTest
  @EnumSource
  void everyContenderLimits(RedisContender contender)
      throws InterruptedException, ExecutionException, TimeoutException {
    int allowed = 0;
    try (RedisServer server = RedisServer.start();
        RedisLimiter limiter = contender.open(server.uri(), 20)) {
      limiter.prepare("alice").toCompletableFuture().get(10, TimeUnit.SECONDS);
      for (int i = 0; i < 100; i++) {
        allowed += limiter.ask("alice").toCompletableFuture().get(10, TimeUnit.SECONDS) ? 1 : 0;
      }
    }

    System.out.printf("%s: %d of 100 requests allowed, burst 20%n", contender, allowed);
    switch (contender) {
      case INCR -> assertThat(allowed).isEqualTo(100);
      case WEIR_REFUSED -> assertThat(allowed).isEqualTo(1);
      // The burst, and what has been refilled meanwhile on a slow machine.
      default -> assertThat(allowed).isBetween(20, 60);
    }
  }

  @Test
  void countsCallsOfScriptsAndBytes() throws InterruptedException {
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
