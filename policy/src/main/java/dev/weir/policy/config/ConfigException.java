package dev.weir.policy.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration with mistakes; knows all of them. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  /** With those mistakes, of which there is at least one. */
  public ConfigException(List<Mistake> mistakes) {
    super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")));
    this.mistakes = List.copyOf(mistakes);
  }

  /** Every mistake, in the order of the text. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
