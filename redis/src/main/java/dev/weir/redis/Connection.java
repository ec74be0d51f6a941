package dev.weir.redis;

import java.util.concurrent.CompletionStage;

/** A connection to a server. Nothing is sent again, and nothing waits while it is broken. */
interface Connection extends AutoCloseable {

  /** Opens connections to the server, or to whichever is the master now. */
  interface Factory extends AutoCloseable {
    CompletionStage<Connection> connect();

    /** Where it connects to, for messages; without passwords. */
    String target();

    /** Also ends the connections that are open. */
    @Override
    void close();
  }

  /** Runs the script. */
  CompletionStage<byte[]> run(Script script, byte[][] keys, byte[] request);

  /** Completes when the server answers. */
  CompletionStage<?> ping();

  /** Whether it is not known to be broken. */
  boolean isOpen();

  @Override
  void close();
}
