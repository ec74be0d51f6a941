package dev.weir.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Running applications by their properties, for all tests of a class: what tests count, they count
 * for clients of their own.
 */
final class SharedApplications implements AutoCloseable {
  private final Function<String[], TestApplication> starter;
  private final Map<List<String>, TestApplication> applications = new LinkedHashMap<>();

  /** With what starts an application with properties. */
  SharedApplications(Function<String[], TestApplication> starter) {
    this.starter = starter;
  }

  /** Returns the application with those properties, which must not be closed. */
  TestApplication with(String... properties) {
    return applications.computeIfAbsent(
        List.of(properties), each -> starter.apply(each.toArray(new String[0])));
  }

  @Override
  public void close() {
    applications.values().forEach(TestApplication::close);
  }
}
