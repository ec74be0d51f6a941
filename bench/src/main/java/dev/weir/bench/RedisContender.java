package dev.weir.bench;

import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The contenders that keep their counters on Redis.
 *
 * <p>All hold the same bucket, 100 permits a minute, with a burst that is given. Under load it is
 * so large that nothing is refused, and every decision has to write. Redisson has no burst, its
 * clients get the permits in a minute; the script like Spring Cloud Gateway's knows whole permits a
 * second, its clients get two.
 */
enum RedisContender {
  WEIR("Weir, one limit") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "100/m"), null);
    }
  },
  WEIR_THREE_LIMITS("Weir, three limits") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "10/s", "100/m", "1000/h"), null);
    }
  },
  WEIR_PENALTY("Weir, one limit and a penalty") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      Penalty penalty = new Penalty(Duration.ofMinutes(5), 3, List.of(1, 2, 4));
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "100/m"), penalty);
    }
  },
  WEIR_REFUSED("Weir, refused") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(1, "1/d"), null);
    }
  },
  BUCKET4J("Bucket4j, Lettuce") {
    @Override
    RedisLimiter open(String uri, long burst) {
      return Bucket4jOnRedis.open(uri, burst);
    }
  },
  REDISSON("Redisson RRateLimiter") {
    @Override
    RedisLimiter open(String uri, long burst) {
      return RedissonOnRedis.open(uri, burst);
    }
  },
  TWO_KEYS("script like Spring Cloud Gateway's") {
    @Override
    RedisLimiter open(String uri, long burst) {
      return LettuceOnRedis.twoKeys(uri, burst);
    }
  },
  EVALSHA("token bucket by EVALSHA (reference)") {
    @Override
    RedisLimiter open(String uri, long burst) {
      return LettuceOnRedis.tokenBucket(uri, burst);
    }
  },
  INCR("INCR alone") {
    @Override
    RedisLimiter open(String uri, long burst) {
      return LettuceOnRedis.increment(uri);
    }
  };

  /** On a machine that stands still for a moment nothing shall fail. */
  private static final RedisOptions OPTIONS =
      RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(10));

  final String title;

  RedisContender(String title) {
    this.title = title;
  }

  /** A new limiter with connections of its own. */
  abstract RedisLimiter open(String uri, long burst) throws InterruptedException;

  /** What every answer must be once each client has asked once. */
  boolean isAllowed() {
    return this != WEIR_REFUSED;
  }

  private static List<Limit> limits(long burst, String... rates) {
    return List.of(rates).stream()
        .map(rate -> Limit.parse(String.format(Locale.ROOT, "%s burst %d", rate, burst)))
        .toList();
  }
}
