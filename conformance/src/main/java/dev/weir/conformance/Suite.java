package dev.weir.conformance;

import dev.weir.conformance.Report.Outcome;
import dev.weir.conformance.Report.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A table of cases, ready to be run on servers. Immutable; each run uses a connection of its own.
 */
public final class Suite {
  private final List<Case> cases;

  private Suite(List<Case> cases) {
    this.cases = cases;
  }

  /** Reads the table in a folder. */
  public static Suite read(Path tableFolder) {
    return new Suite(TableReader.read(tableFolder));
  }

  List<Case> cases() {
    return cases;
  }

  /** How many cases each profile has. */
  public SortedMap<String, Integer> profiles() {
    SortedMap<String, Integer> profiles = new TreeMap<>();
    cases.forEach(each -> profiles.merge(each.profile(), 1, Integer::sum));
    return profiles;
  }

  /**
   * Writes the configuration files of the cases that a run has. {@link #run(Run)} does so itself;
   * it is for servers that want their files to be there when they start.
   */
  public void writeConfigs(Run run) {
    ConfigFolder.prepare(run.configFolder, casesOf(run));
  }

  private List<Case> casesOf(Run run) {
    return cases.stream().filter(run::wants).toList();
  }

  /** Runs the cases of a profile on a server. */
  public Report run(String target, String profile, Clock clock, Path configFolder) {
    return run(Run.on(target, configFolder).profile(profile).clock(clock));
  }

  /**
   * Runs cases on a server, which may be started meanwhile.
   *
   * @throws IllegalStateException if the server cannot be reached, or does not read its files
   */
  public Report run(Run run) {
    if (!profiles().containsKey(run.profile)) {
      throw new IllegalArgumentException(
          "profile must be one of %s, got %s".formatted(profiles().keySet(), run.profile));
    }
    List<Case> chosen = casesOf(run);
    if (chosen.isEmpty()) {
      return new Report(List.of());
    }
    writeConfigs(run);
    List<Outcome> outcomes = new ArrayList<>();
    try (Connection connection = new Connection(run.target)) {
      ConfigFolder folder = new ConfigFolder(run, connection);
      boolean canRead = chosen.stream().noneMatch(each -> each.settings().contains(Case.NO_CONFIG));
      folder.awaitServer(canRead);
      for (Case each : chosen) {
        Outcome outcome = outcome(each, run, connection, folder);
        outcomes.add(outcome);
        run.listener.accept(outcome);
      }
    }
    return new Report(outcomes);
  }

  private static Outcome outcome(Case of, Run run, Connection connection, ConfigFolder folder) {
    String obstacle = run.obstacle(of);
    if (obstacle != null) {
      return new Outcome(of.title(), Verdict.SKIPPED, obstacle);
    }
    @Nullable String failure;
    try {
      failure = new CaseRun(of, run, connection, folder).failure();
      if (of.reloads()) {
        folder.restore(of);
      }
    } catch (IllegalStateException e) {
      failure = e.getMessage();
    }
    return failure == null
        ? new Outcome(of.title(), Verdict.PASSED, "")
        : new Outcome(of.title(), Verdict.FAILED, failure);
  }
}
