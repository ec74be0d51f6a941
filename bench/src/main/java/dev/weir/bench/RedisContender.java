package dev.weir.bench;

import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.List;

/**
 * The contenders that keep their counters on Redis.
 *
 * <p>All hold a bucket with a burst that is given. Under load it is so large that nothing is
 * refused, and every decision has to write. Weir's and Redisson's clients get as many permits a
 * minute; those of the script like Spring Cloud Gateway's, which knows whole permits a second, get
 * two, and all others 100 a minute. That makes no difference to the work.
 */
enum RedisContender {
  WEIR("Weir, one limit") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "m"), null);
    }
  },
  WEIR_THREE_LIMITS("Weir, three limits") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "s", "m", "h"), null);
    }
  },
  WEIR_PENALTY("Weir, one limit and a penalty") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      Penalty penalty = new Penalty(Duration.ofMinutes(5), 3, List.of(1, 2, 4));
      return WeirOnRedis.open(uri, OPTIONS, limits(burst, "m"), penalty);
    }
  },
  WEIR_REFUSED("Weir, refused") {
    @Override
    RedisLimiter open(String uri, long burst) throws InterruptedException {
      return WeirOnRedis.open(uri, OPTIONS, limits(1, "d"), null);
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
      RedisOptions.defaults()
          .withCommandTimeout(Duration.ofSeconds(10))
          .withConnectTimeout(Duration.ofSeconds(10));

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

  private static List<Limit> limits(long permits, String... periods) {
    return List.of(periods).stream().map(period -> Limit.parse(permits + "/" + period)).toList();
  }
}
