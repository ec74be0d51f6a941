package dev.weir.testrunner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to run.
 *
 * @param root the root of the project
 * @param jvms how many test JVMs run at a time
 * @param isLong whether tests tagged {@code long} run, and others at their nightly amounts
 * @param repeats how often each class runs, each time in a JVM of its own if more than once
 * @param classes simple or full names; empty for all
 * @param modules directories below the root
 * @param properties {@code -Dname=value} for the test JVMs
 */
record RunOptions(
    Path root,
    int jvms,
    boolean isLong,
    int repeats,
    List<String> classes,
    List<String> modules,
    List<String> properties) {

  RunOptions {
    classes = List.copyOf(classes);
    modules = List.copyOf(modules);
    properties = List.copyOf(properties);
  }

  /** Reads the arguments that {@code ./test} gives. */
  static RunOptions parse(List<String> arguments) {
    Path root = Path.of("").toAbsolutePath();
    int jvms = Runtime.getRuntime().availableProcessors() + 1;
    boolean isLong = false;
    int repeats = 1;
    List<String> classes = new ArrayList<>();
    List<String> modules = new ArrayList<>();
    List<String> properties = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.equals("--long")) {
        isLong = true;
      } else if (argument.startsWith("--jvms=")) {
        jvms = positive("--jvms", argument);
      } else if (argument.startsWith("--repeat=")) {
        repeats = positive("--repeat", argument);
      } else if (argument.startsWith("--class=")) {
        classes.add(argument.substring("--class=".length()));
      } else if (argument.startsWith("-D")) {
        properties.add(argument);
      } else {
        modules.add(argument);
      }
    }
    return new RunOptions(root, jvms, isLong, repeats, classes, modules, properties);
  }

  private static int positive(String name, String argument) {
    String text = argument.substring(argument.indexOf('=') + 1);
    try {
      int number = Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "%s must be a positive number, got \"%s\"".formatted(name, text));
  }

  /** Whether the class is one of those asked for. */
  boolean includes(String className) {
    return classes.isEmpty()
        || classes.contains(className)
        || classes.contains(className.substring(className.lastIndexOf('.') + 1));
  }
}
