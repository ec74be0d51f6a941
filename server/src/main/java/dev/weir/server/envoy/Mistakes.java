package dev.weir.server.envoy;

import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * What is wrong with files, to be told all at once, in the order of the files and of their text.
 */
final class Mistakes {
  private record Found(int file, int line, int column, Mistake mistake) {}

  /** What an alias stands for is read wherever it is used, but told of once. */
  private final Set<Found> found = new LinkedHashSet<>();

  private String file = "";
  private int files;

  /** What is reported from now on is about that file. */
  void startFile(String name) {
    file = name;
    files++;
  }

  /** About a file as a whole. */
  void report(String problem) {
    found.add(new Found(files, 0, 0, new Mistake(file, "", problem)));
  }

  void report(Node at, String problem) {
    report(at.getStartMark(), problem);
  }

  void report(Optional<Mark> at, String problem) {
    report(at.map(Mark::getLine).orElse(0) + 1, at.map(Mark::getColumn).orElse(0) + 1, problem);
  }

  /** Lines and columns count from 1. */
  void report(int line, int column, String problem) {
    Mistake mistake = new Mistake(file + ":" + line + ":" + column, "", problem);
    found.add(new Found(files, line, column, mistake));
  }

  void throwIfAny() {
    if (!found.isEmpty()) {
      Comparator<Found> byPlace =
          Comparator.comparingInt(Found::file)
              .thenComparingInt(Found::line)
              .thenComparingInt(Found::column);
      throw new ConfigException(found.stream().sorted(byPlace).map(Found::mistake).toList());
    }
  }
}
