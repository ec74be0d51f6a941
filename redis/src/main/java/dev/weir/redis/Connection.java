package dev.weir.redis;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A connection to a server. Nothing is sent again, and nothing waits while it is broken. */
interface Connection extends AutoCloseable {

  /** Opens connections to the server, or to whichever is the master now. */
  interface Factory extends AutoCloseable {
    CompletionStage<Connection> connect();

    /** Where it connects to, for messages; without passwords. */
    String target();

    /** Whether another server takes over when this one fails. */
    default boolean isFailedOver() {
      return false;
    }

    /** A hash tag whose keys the server is in charge of; the same as long as that holds. */
    default String markerTag() {
      return "weir";
    }

    /** Also ends the connections that are open. */
    @Override
    void close();
  }

  /** Runs the script. */
  CompletionStage<byte[]> run(Script script, byte[][] keys, byte[] request);

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
