package dev.weir.server.envoy;

import org.snakeyaml.engine.v2.nodes.Node;

/**
 * How far the reading of one file is. An alias stands for all that is behind its anchor, so a small
 * text can stand for more than anybody can read; then the reading ends.
 */
final class Reading {
  private static final int MOST_VALUES = 1_000_000;

  private final Mistakes mistakes;
  private int values;

  Reading(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  Mistakes mistakes() {
    return mistakes;
  }

  /** A value is read. */
  void visit(Node value) {
    if (++values > MOST_VALUES) {
      throw new EndlessException(value);
    }
  }

  /** A file stands for too much. */
  static final class EndlessException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Node at;

    private EndlessException(Node at) {
      super("error loading config file: must have at most " + MOST_VALUES + " values");
      this.at = at;
    }

    Node at() {
      return at;
    }
  }
}
