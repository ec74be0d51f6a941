package dev.weir.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Limits each client by counters on a Redis server, and answers later. */
interface RedisLimiter extends AutoCloseable {

  /** What is limited; every contender has it in its keys. */
  String ENDPOINT = "chat";

  /** Asks for one permit; whether it is allowed. */
  CompletionStage<Boolean> ask(String client);

  /** What has to be done once for each client before it is asked for. */
  default CompletionStage<Boolean> prepare(String client) {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  void close();

  /** The name of a client's key, for those who leave it to their users. */
  static String keyOf(String client) {
    return "ratelimit:{" + client + "}:" + ENDPOINT;
  }
}
