package dev.weir.bench;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Bucket4j's buckets on Redis through Lettuce, by compare-and-swap, asynchronously. */
final class Bucket4jOnRedis implements RedisLimiter {
  private final RedisClient client;
  private final AsyncProxyManager<String> buckets;
  private final CompletableFuture<BucketConfiguration> configuration;

  private Bucket4jOnRedis(
      RedisClient client, AsyncProxyManager<String> buckets, BucketConfiguration configuration) {
    this.client = client;
    this.buckets = buckets;
    this.configuration = CompletableFuture.completedFuture(configuration);
  }

  static RedisLimiter open(String uri, long burst) {
    RedisClient client = RedisClient.create(uri);
    StatefulRedisConnection<String, byte[]> connection =
        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    AsyncProxyManager<String> buckets =
        Bucket4jLettuce.casBasedBuilder(connection)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofMinutes(1)))
            .build()
            .asAsync();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(burst).refillGreedy(100, Duration.ofMinutes(1)))
            .build();
    return new Bucket4jOnRedis(client, buckets, configuration);
  }

  @Override
  public CompletionStage<Boolean> ask(String user) {
    return buckets.getProxy(RedisLimiter.keyOf(user), () -> configuration).tryConsume(1);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
