package dev.weir.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What one writes by hand: a command for each request, over one connection of Lettuce. */
final class LettuceOnRedis implements RedisLimiter {

  /** Asks for a client. */
  private interface Ask {
    CompletionStage<Boolean> of(String user);
  }

  private final RedisClient client;
  private final Ask ask;

  private LettuceOnRedis(String uri, Function<RedisAsyncCommands<String, String>, Ask> asking) {
    this.client = RedisClient.create(uri);
    this.ask = asking.apply(client.connect().async());
  }

  /** One key and one call of a script; 100 permits a minute. */
  static RedisLimiter tokenBucket(String uri, long burst) {
    String micros = Long.toString(TimeUnit.MINUTES.toMicros(1) / 100);
    String capacity = Long.toString(burst);
    return new LettuceOnRedis(
        uri,
        commands -> {
          String sha = load(commands, "token-bucket.lua");
          return user -> {
            String[] keys = {RedisLimiter.keyOf(user)};
            return commands
                .<Long>evalsha(sha, ScriptOutputType.INTEGER, keys, micros, capacity, "1")
                .thenApply(left -> left >= 0);
          };
        });
  }

  /** Two keys and one call of a script; 2 permits a second, by the clock of this machine. */
  static RedisLimiter twoKeys(String uri, long burst) {
    String capacity = Long.toString(burst);
    return new LettuceOnRedis(
        uri,
        commands -> {
          String sha = load(commands, "two-keys.lua");
          return user -> {
            String key = RedisLimiter.keyOf(user);
            String[] keys = {key + ".tokens", key + ".timestamp"};
            String now = Long.toString(Instant.now().getEpochSecond());
            return commands
                .<List<Long>>evalsha(sha, ScriptOutputType.MULTI, keys, "2", capacity, now, "1")
                .thenApply(reply -> reply.get(0) == 1);
          };
        });
  }

  /** No limit at all: the least that one command for each request costs. */
  static RedisLimiter increment(String uri) {
    return new LettuceOnRedis(
        uri,
        commands -> user -> commands.incr(RedisLimiter.keyOf(user)).thenApply(count -> count > 0));
  }

  /** Tells the server a script, and returns its name there. */
  private static String load(RedisAsyncCommands<String, String> commands, String name) {
    try (InputStream in = LettuceOnRedis.class.getResourceAsStream(name)) {
      String text =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      return commands.scriptLoad(text).toCompletableFuture().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CompletionStage<Boolean> ask(String user) {
    return ask.of(user);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
