package dev.weir.cli;

import java.util.List;

/** A configuration is wrong; each mistake is shown on a line of its own. Exit code 1. */
final class MistakesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> mistakes;

  MistakesException(List<?> mistakes) {
    super(mistakes.size() + " mistakes");
    this.mistakes = mistakes.stream().map(String::valueOf).toList();
  }

  List<String> mistakes() {
    return mistakes;
  }
}
