package dev.weir.bench;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiter, which keeps a log of permits, with its own pool of connections. */
final class RedissonOnRedis implements RedisLimiter {
  private final RedissonClient client;
  private final long permits;

  private RedissonOnRedis(RedissonClient client, long permits) {
    this.client = client;
    this.permits = permits;
  }

  /** A limiter of that many permits in a minute. */
  static RedisLimiter open(String uri, long permits) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    return new RedissonOnRedis(Redisson.create(config), permits);
  }

  @Override
  public CompletionStage<Boolean> prepare(String user) {
    return limiter(user).trySetRateAsync(RateType.OVERALL, permits, Duration.ofMinutes(1));
  }

  @Override
  public CompletionStage<Boolean> ask(String user) {
    return limiter(user).tryAcquireAsync();
  }

  private RRateLimiter limiter(String user) {
    return client.getRateLimiter(RedisLimiter.keyOf(user));
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
