package dev.weir.cli;

import picocli.CommandLine.Option;

/** The option for programs. */
final class JsonOption {
  @Option(names = "--json", order = 90, description = "Print what the server answers, as JSON.")
  private boolean isJson;

  boolean isGiven() {
    return isJson;
  }
}
