package dev.weir.bench;

import java.nio.ByteBuffer;

/**
 * What one connection speaks and understands. Requests have numbers, from 0 on, in the order in
 * which they are sent.
 */
interface Wire {

  /** Puts what a connection starts with. */
  void open(ByteBuffer out);

  /** Puts a request of a client. */
  void ask(int number, int client, ByteBuffer out);

  /**
   * Takes all that has come as a whole, and leaves the rest.
   *
   * @param out for what has to be said in return
   */
  void take(ByteBuffer in, Answers answers, ByteBuffer out);

  /** Hears of every answer. */
  interface Answers {
    void answered(int number, boolean isRight);
  }
}
