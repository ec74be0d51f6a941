package dev.weir.cli;

import dev.weir.policy.config.Mistake;
import java.util.List;

/** A configuration is wrong; each mistake is shown on a line of its own. Exit code 1. */
final class MistakesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  MistakesException(List<Mistake> mistakes) {
    super(mistakes.size() + " mistakes");
    this.mistakes = mistakes;
  }

  List<Mistake> mistakes() {
    return mistakes;
  }
}
