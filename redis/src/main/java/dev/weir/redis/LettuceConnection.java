package dev.weir.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
  private final RedisURI uri;

  LettuceConnection(StatefulRedisConnection<byte[], byte[]> connection, RedisURI uri) {
    this.connection = connection;
    this.commands = connection.async();
    this.uri = uri;
  }

  @Override
  public CompletionStage<byte[]> run(
      Script script, byte[][] keys, byte[] request, boolean isForImport) {
    askIf(isForImport);
    CompletionStage<byte[]> first =
        commands.evalsha(script.sha(), ScriptOutputType.VALUE, keys, request);
    return first
        .handle(
            (reply, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedStage(reply);
              }
              if (cause(failure) instanceof RedisNoScriptException) {
                // A server that does not know the script has done nothing, so it may be told.
                askIf(isForImport);
                return commands.<byte[]>eval(script.text(), ScriptOutputType.VALUE, keys, request);
              }
              return CompletableFuture.<byte[]>failedStage(cause(failure));
            })
        .thenCompose(stage -> stage);
  }

  /** Counts for the next command alone. If another gets between, the server moves us on again. */
  private void askIf(boolean isForImport) {
    if (isForImport) {
      ignoreFailure(commands.asking(), "the next command fails as well");
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  @Override
  public CompletionStage<List<SlotRange>> slots() {
    return commands
        .clusterSlots()
        .thenApply(reply -> reply.stream().map(each -> range((List<?>) each)).toList());
  }

  /** The first slot, the last, then the nodes: the master first, its host, its port, and more. */
  private SlotRange range(List<?> reply) {
    List<?> master = (List<?>) reply.get(2);
    // A node that does not know its own address leaves that to us.
    String host =
        master.get(0) instanceof byte[] name && name.length > 0
            ? new String(name, StandardCharsets.UTF_8)
            : uri.getHost();
    return new SlotRange(number(reply.get(0)), number(reply.get(1)), host, number(master.get(1)));
  }

  private static int number(Object reply) {
    return Math.toIntExact((Long) reply);
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
    close(connection);
  }

  static void close(StatefulConnection<?, ?> connection) {
    if (connection.isOpen()) {
      ignoreFailure(connection.closeAsync(), "a connection did not close");
    }
  }

  private static void ignoreFailure(CompletionStage<?> stage, String message) {
    stage.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            LOGGER.log(System.Logger.Level.DEBUG, message, failure);
          }
        });
  }
}
