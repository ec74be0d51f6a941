package dev.weir.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens connections to all servers of a store, on threads that they share. */
final class LettuceClient implements AutoCloseable {
  private final RedisClient client = RedisClient.create();
  private final RedisOptions options;

  LettuceClient(RedisOptions options) {
    this.options = options;
    SslOptions.Builder tls = SslOptions.builder().jdkSslProvider();
    options.trustStore().ifPresent(store -> tls.trustManager(store.load()));
    client.setOptions(
        ClientOptions.builder()
            // Whoever waits for a decision has gone long before a connection is back: what was
            // on its way is lost, not sent again, and a new connection is asked for.
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(options.connectTimeout())
                    .keepAlive(true)
                    .tcpNoDelay(true)
                    .build())
            .sslOptions(tls.build())
            // The courier keeps the time, for many commands at once.
            .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
            .build());
  }

  /** Connections to the server, or to the master, that the URI names. */
  Connection.Factory at(RedisURI uri) {
    // Else an attempt that nobody waits for any more would live for a minute.
    uri.setTimeout(options.connectTimeout());
    // Told in HELLO, which every user may say; CLIENT SETINFO would be one more right to grant,
    // and one that Redis 7.0 does not know.
    uri.setLibraryName("");
    uri.setLibraryVersion("");
    if (uri.getClientName() == null) {
      uri.setClientName("weir");
    }
    return new Server(uri);
  }

  /** Also ends the connections that are open. */
  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }

  /** What the client throws at once, such as when it has been shut down, becomes a failed stage. */
  private static <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> connect) {
    try {
      return connect.get();
    } catch (RuntimeException failure) {
      return CompletableFuture.failedStage(failure);
    }
  }

  private final class Server implements Connection.Factory {
    private final RedisURI uri;

    Server(RedisURI uri) {
      this.uri = uri;
    }

    @Override
    public CompletionStage<Connection> connect() {
      return attempt(
          () ->
              client
                  .connectAsync(ByteArrayCodec.INSTANCE, nextUri())
                  .thenApply(connection -> new LettuceConnection(connection, uri)));
    }

    @Override
    public CompletionStage<Connection.Subscription> subscribe(
        String channel, Consumer<String> messages) {
      return attempt(
          () ->
              client
                  .connectPubSubAsync(StringCodec.UTF8, nextUri())
                  .thenCompose(
                      connection -> LettuceSubscription.open(connection, channel, messages)));
    }

    /** Another sentinel is asked first each time: one that is frozen would take all the time. */
    private RedisURI nextUri() {
      Collections.rotate(uri.getSentinels(), 1);
      return uri;
    }

    @Override
    public String target() {
      return uri.getSentinels().isEmpty()
          ? uri.getHost() + ":" + uri.getPort()
          : "master " + uri.getSentinelMasterId();
    }

    @Override
    public boolean isFailedOver() {
      return !uri.getSentinels().isEmpty();
    }
  }
}
