package dev.weir.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A connection to one server, found by its address or by sentinels. */
final class LettuceConnection implements Connection {
  private static final System.Logger LOGGER = System.getLogger(LettuceConnection.class.getName());

  private static final byte[] MARK = {'1'};

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final RedisAsyncCommands<byte[], byte[]> commands;

  private LettuceConnection(StatefulRedisConnection<byte[], byte[]> connection) {
    this.connection = connection;
    this.commands = connection.async();
  }

  /** Connections by a URI. */
  static final class Factory implements Connection.Factory {
    private final RedisClient client;
    private final RedisURI uri;

    Factory(RedisURI uri, RedisOptions options) {
      this.uri = uri;
      // Else an attempt that nobody waits for any more would live for a minute.
      uri.setTimeout(options.connectTimeout());
      // Told in HELLO, which every user may say; CLIENT SETINFO would be one more right to grant,
      // and one that Redis 7.0 does not know.
      uri.setLibraryName("");
      uri.setLibraryVersion("");
      if (uri.getClientName() == null) {
        uri.setClientName("weir");
      }
      SslOptions.Builder tls = SslOptions.builder().jdkSslProvider();
      options.trustStore().ifPresent(store -> tls.trustManager(store.load()));
      this.client = RedisClient.create();
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

    @Override
    public CompletionStage<Connection> connect() {
      return client.connectAsync(ByteArrayCodec.INSTANCE, uri).thenApply(LettuceConnection::new);
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

    @Override
    public void close() {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  @Override
  public CompletionStage<byte[]> run(Script script, byte[][] keys, byte[] request) {
    CompletionStage<byte[]> first =
        commands.evalsha(script.sha(), ScriptOutputType.VALUE, keys, request);
    return first
        .handle(
            (reply, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedStage(reply);
              }
              // A server that does not know the script has done nothing, so it may be told.
              return cause(failure) instanceof RedisNoScriptException
                  ? commands.<byte[]>eval(script.text(), ScriptOutputType.VALUE, keys, request)
                  : CompletableFuture.<byte[]>failedStage(cause(failure));
            })
        .thenCompose(stage -> stage);
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  @Override
  public CompletionStage<?> ping() {
    return commands.ping();
  }

  @Override
  public CompletionStage<String> info() {
    return commands.info();
  }

  @Override
  public CompletionStage<Boolean> mark(byte[] key, Duration life) {
    return commands.setGet(key, MARK, SetArgs.Builder.px(life)).thenApply(Objects::nonNull);
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    if (!connection.isOpen()) {
      return;
    }
    CompletionStage<Void> closed = connection.closeAsync();
    closed.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            LOGGER.log(System.Logger.Level.DEBUG, "a connection did not close", failure);
          }
        });
  }
}
