package dev.weir.spring;

import dev.weir.redis.RedisTopology;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis that an application uses already, by Spring Data. */
final class SpringRedis {
  private SpringRedis() {}

  /** Where it is; null if the application uses none. */
  static @Nullable RedisTopology in(ListableBeanFactory beans) {
    LettuceConnectionFactory factory =
        beans.getBeanProvider(LettuceConnectionFactory.class).getIfUnique();
    if (factory == null) {
      return null;
    }
    RedisClusterConfiguration cluster = factory.getClusterConfiguration();
    if (cluster != null) {
      return new RedisTopology.Cluster(
          cluster.getClusterNodes().stream()
              .map(node -> uri(factory, node.getHost(), port(node), cluster))
              .toList());
    }
    RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
    if (sentinel != null) {
      return new RedisTopology.Single(sentinels(factory, sentinel));
    }
    RedisStandaloneConfiguration single = factory.getStandaloneConfiguration();
    return new RedisTopology.Single(
        uri(factory, single.getHostName(), single.getPort(), single) + "/" + single.getDatabase());
  }

  private static int port(RedisNode node) {
    Integer port = node.getPort();
    return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
  }

  private static String uri(
      LettuceConnectionFactory factory,
      @Nullable String host,
      int port,
      RedisConfiguration.WithAuthentication authentication) {
    RedisURI.Builder builder =
        RedisURI.builder()
            .withHost(host == null ? "localhost" : host)
            .withPort(port)
            .withSsl(factory.isUseSsl());
    authenticate(builder, authentication);
    return text(builder.build());
  }

  private static String sentinels(
      LettuceConnectionFactory factory, RedisSentinelConfiguration sentinel) {
    RedisURI.Builder builder = RedisURI.builder().withSsl(factory.isUseSsl());
    List<RedisNode> nodes = List.copyOf(sentinel.getSentinels());
    for (RedisNode node : nodes) {
      builder.withSentinel(String.valueOf(node.getHost()), port(node));
    }
    if (sentinel.getMaster() != null) {
      builder.withSentinelMasterId(String.valueOf(sentinel.getMaster().getName()));
    }
    builder.withDatabase(sentinel.getDatabase());
    authenticate(builder, sentinel);
    return text(builder.build());
  }

  private static void authenticate(
      RedisURI.Builder builder, RedisConfiguration.WithAuthentication authentication) {
    RedisPassword password = authentication.getPassword();
    if (password.isPresent()) {
      String user = authentication.getUsername();
      if (user == null) {
        builder.withPassword(password.get());
      } else {
        builder.withAuthentication(user, password.get());
      }
    }
  }

  /** With the password, which toString() would hide. */
  private static String text(RedisURI uri) {
    return uri.toURI().toString();
  }
}
