package dev.weir.backtest;

import org.jspecify.annotations.Nullable;

/** Reads single lines. Keeps what repeats from line to line. For one thread. */
interface LineFormat {

  /**
   * The request of a line.
   *
   * @return null if it has none
   * @throws BadLine if it cannot be understood
   * @throws dev.weir.policy.MalformedRequestException if its request would be answered with 400
   */
  @Nullable LoggedRequest read(byte[] bytes, int from, int to) throws BadLine;
}
