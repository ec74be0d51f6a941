package dev.weir.backtest;

import java.io.IOException;

/** A line of a log that cannot be understood; the message names its place and what is wrong. */
public final class BadLineException extends IOException {
  private static final long serialVersionUID = 1;

  BadLineException(String message) {
    super(message);
  }
}
