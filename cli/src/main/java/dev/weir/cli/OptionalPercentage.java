package dev.weir.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Lets the value of an option be left out before other words: {@code --suggest 0.5 access.log} has
 * one, {@code --suggest access.log} does not.
 */
final class OptionalPercentage implements IParameterPreprocessor {
  /** What the option has without a value. */
  static final String USUAL = "";

  @Override
  @SuppressWarnings("JdkObsolete") // The type is picocli's.
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    boolean isAttached = info.get("separator") != null && !" ".equals(info.get("separator"));
    if (!isAttached && (words.isEmpty() || !words.peek().matches("[0-9][0-9.]*%?"))) {
      words.push(USUAL);
    }
    return false;
  }
}
