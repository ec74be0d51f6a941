package dev.weir.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A connection to a server. Nothing is sent again, and nothing waits while it is broken. */
interface Connection extends AutoCloseable {

  /**
   * Opens connections to the server, or to whichever is the master now. A failure is always that of
   * the stage; no method throws.
   */
  interface Factory {
    CompletionStage<Connection> connect();

    /** Opens a connection on which messages of a channel come. */
    CompletionStage<Subscription> subscribe(String channel, Consumer<String> messages);

    /** Where it connects to, for messages; without passwords. */
    String target();

    /** Whether another server takes over when this one fails. */
    boolean isFailedOver();
  }

  /** A connection on which messages come. */
  interface Subscription extends AutoCloseable {
    /** Completes when the server answers, after all messages that it sent before. */
    CompletionStage<?> ping();

    boolean isOpen();

    @Override
    void close();
  }

  /**
   * Slots of a cluster that one master serves.
   *
   * @param first the first of them
   * @param last the last of them
   * @param host where the master is
   * @param port its port
   */
  record SlotRange(int first, int last, String host, int port) {}

  /**
   * Runs the script.
   *
   * @param isForImport whether the keys are in a slot that the server is about to take over
   */
  CompletionStage<byte[]> run(Script script, byte[][] keys, byte[] request, boolean isForImport);

  /** Which masters serve which slots, as this node of a cluster knows. */
  CompletionStage<List<SlotRange>> slots();

  /** Completes when the server answers. */
  CompletionStage<?> ping();

  /** What the server says of itself. */
  CompletionStage<String> info();

  /** Writes a key that lives for that long; tells whether it was there. */
  CompletionStage<Boolean> mark(byte[] key, Duration life);

  /** Whether it is not known to be broken. */
  boolean isOpen();

  @Override
  void close();
}
