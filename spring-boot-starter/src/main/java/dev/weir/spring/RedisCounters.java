package dev.weir.spring;

import dev.weir.CounterStore;
import dev.weir.policy.config.RedisSettings;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisTopology;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Counters on Redis; used only where the application has the module for it. */
final class RedisCounters {
  private static final boolean IS_SPRING_DATA_THERE =
      ClassUtils.isPresent(
          "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
          RedisCounters.class.getClassLoader());

  private RedisCounters() {}

  /**
   * Opens them. Redis need not be there yet.
   *
   * @param beans where the application's own connection to Redis may be, if that is to be used
   */
  static CounterStore open(RedisSettings settings, @Nullable ListableBeanFactory beans) {
    RedisTopology ofApplication =
        beans == null || !IS_SPRING_DATA_THERE ? null : SpringRedis.in(beans);
    try {
      return RedisCounterStore.open(
          ofApplication == null ? topology(settings) : ofApplication,
          RedisOptions.defaults()
              .withKeyPrefix(settings.keyPrefix())
              .withCommandTimeout(settings.commandTimeout())
              .withConnectTimeout(settings.connectTimeout()));
    } catch (IllegalArgumentException wrong) {
      throw new RateLimitConfigurationException(List.of("ratelimit.redis: " + wrong.getMessage()));
    }
  }

  private static RedisTopology topology(RedisSettings settings) {
    return switch (settings.topology()) {
      case SINGLE, SENTINEL -> new RedisTopology.Single(settings.uris().get(0));
      case CLUSTER -> new RedisTopology.Cluster(settings.uris());
      case RING -> new RedisTopology.Ring(settings.uris());
    };
  }
}
