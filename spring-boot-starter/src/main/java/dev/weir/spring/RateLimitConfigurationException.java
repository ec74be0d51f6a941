package dev.weir.spring;

import java.util.List;

/** The properties of the application, or the file that they name, say something wrong. */
public final class RateLimitConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> mistakes;

  /** With all mistakes, each of which names its property. */
  public RateLimitConfigurationException(List<String> mistakes) {
    super(String.join("\n", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /** All mistakes, each of which names its property. */
  public List<String> mistakes() {
    return mistakes;
  }
}
