package dev.weir.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Messages of one channel. */
final class LettuceSubscription implements Connection.Subscription {
  private final StatefulRedisPubSubConnection<String, String> connection;

  private LettuceSubscription(StatefulRedisPubSubConnection<String, String> connection) {
    this.connection = connection;
  }

  /** Completes when the server has begun to send messages. */
  static CompletionStage<Connection.Subscription> open(
      StatefulRedisPubSubConnection<String, String> connection,
      String channel,
      Consumer<String> messages) {
    connection.addListener(
        new RedisPubSubAdapter<String, String>() {
          @Override
          public void message(String from, String message) {
            messages.accept(message);
          }
        });
    LettuceSubscription subscription = new LettuceSubscription(connection);
    return connection
        .async()
        .subscribe(channel)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                subscription.close();
              }
            })
        .thenApply(done -> subscription);
  }

  @Override
  public CompletionStage<?> ping() {
    return connection.async().ping();
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    LettuceConnection.close(connection);
  }
}
