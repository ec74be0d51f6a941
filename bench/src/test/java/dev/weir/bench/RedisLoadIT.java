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
    String client = contender.name();
    try (RedisLimiter limiter = contender.open(RedisServer.shared().uri(), 20)) {
      limiter.prepare(client).toCompletableFuture().get(60, TimeUnit.SECONDS);
      for (int i = 0; i < 100; i++) {
        allowed += limiter.ask(client).toCompletableFuture().get(60, TimeUnit.SECONDS) ? 1 : 0;
      }
    }

    System.out.printf("%s: %d of 100 requests allowed, burst 20%n", contender, allowed);
    switch (contender) {
      case INCR -> assertThat(allowed).isEqualTo(100);
      case WEIR_REFUSED -> assertThat(allowed).isEqualTo(1);
      // The burst, and what has been refilled meanwhile on a slow machine.
      default -> assertThat(allowed).isBetween(20, 99);
    }
  }

  @Test
  void countsCallsOfScriptsAndBytes() throws InterruptedException {
    RedisRun run = RedisLoad.run(RedisContender.EVALSHA, 100, RedisLoad.Pace.SMOKE);

    assertThat(run.loads()).extracting(RedisRun.Load::inFlight).containsExactly(64, 256, 1_024);
    assertThat(run.loads())
        .allSatisfy(
            load -> {
              assertThat(load.scriptCalls()).isEqualTo(1);
              assertThat(load.failed() + load.wrong()).isZero();
              assertThat(load.perSecond()).isPositive();
              assertThat(load.p99Micros()).isGreaterThanOrEqualTo(load.p50Micros());
            });
    assertThat(run.calm().scriptCalls()).isEqualTo(1);
    assertThat(run.memory().redisKeys()).isEqualTo(1);
    assertThat(run.memory().bytes()).isBetween(50L, 200L);
  }
}
