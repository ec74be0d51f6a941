package dev.weir.conformance;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The folder from which the server under test reads its configuration. Beside the files of the
 * cases there is a marker: a file with a domain of its own, whose only limit is a number that grows
 * with each change. The limit that the server tells for it says which files it has read.
 */
final class ConfigFolder {
  private static final String PREFIX = "conformance-";
  private static final String MARKER = "conformance-marker";
  private static final String KEY = "generation";
  private static final RateLimitRequest LOOK = Messages.look(MARKER, KEY);
  private static final int POLL_MILLIS = 20;

  private final Run run;
  private final Path folder;
  private final Connection connection;

  /** Starts at the present second, so that an earlier run's marker is not taken for this one's. */
  private int written = (int) (System.currentTimeMillis() / 1_000 % 1_000_000_000);

  /** The last one that the server had to take. */
  private int accepted;

  ConfigFolder(Run run, Connection connection) {
    this.run = run;
    folder = run.configFolder.toAbsolutePath();
    this.connection = connection;
  }

  /** Writes the files of all cases, and deletes those of earlier runs. */
  static void prepare(Path configFolder, Collection<Case> cases) {
    Path folder = configFolder.toAbsolutePath();
    List<Path> old = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).forEach(old::add);
      }
      for (Case each : cases) {
        for (Map.Entry<String, String> file : each.files().entrySet()) {
          String name = fileName(each, file.getKey());
          old.remove(folder.resolve(name));
          write(folder, name, file.getValue());
        }
      }
      for (Path file : old) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write configuration files to " + folder, e);
    }
  }

  private static String fileName(Case of, String name) {
    return PREFIX + of.name() + (name.isEmpty() ? "" : "-" + name) + ".yaml";
  }

  /** Replaces a file as a whole: a server that watches the folder never sees half of it. */
  private static void write(Path folder, String fileName, String text) throws IOException {
    // Beside the folder, not in it: some servers read every file that they find.
    Path next = folder.resolveSibling(PREFIX + "next");
    Files.writeString(next, text);
    Files.move(next, folder.resolve(fileName), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Waits until the server is there, and has read all files if it can. */
  void awaitServer(boolean canRead) {
    if (canRead) {
      writeMarker();
      reload();
      awaitAccepted();
    } else {
      await("the server did not answer", () -> !isAway(connection.ask(LOOK)));
    }
  }

  private static boolean isAway(Reply reply) {
    // A server that is there may say that it is not available; nobody there is an I/O error.
    return reply instanceof Reply.Failure failure
        && failure.code().equals("UNAVAILABLE")
        && failure.message().contains("io exception");
  }

  /** Changes files, and returns what is wrong with how the server took them, if anything. */
  Optional<String> change(Case of, Step.Reload step) {
    write(of, step.files());
    if (run.reloader == null && !step.isAccepted()) {
      // A server that was just reading the folder for an earlier change might see the old files
      // together with the new marker, and rightly take them.
      Pause.millis(run.settle.toMillis());
    }
    writeMarker();
    Optional<String> said = reload();
    if (step.isAccepted()) {
      if (said.isPresent()) {
        return Optional.of("the files are right, but the server said: " + said.get());
      }
      awaitAccepted();
      return Optional.empty();
    }
    return checkRejected(said, step.mistake());
  }

  private Optional<String> checkRejected(Optional<String> said, String mistake) {
    if (run.reloader == null) {
      Pause.millis(run.settle.toMillis());
    } else if (!said.orElse("").contains(mistake)) {
      return Optional.of(
          "said about the files  expected %s, got %s".formatted(mistake, said.orElse("nothing")));
    }
    int got = generation();
    return got == accepted
        ? Optional.empty()
        : Optional.of(
            "the server must keep what it has: expected generation %d, got %d (expected mistake: %s)"
                .formatted(accepted, got, mistake));
  }

  /** Puts the files of a case back to what they were. */
  void restore(Case of) {
    for (Step step : of.steps()) {
      if (step instanceof Step.Reload reload) {
        for (String name : reload.files().keySet()) {
          write(of, Map.of(name, Optional.ofNullable(of.files().get(name))));
        }
      }
    }
    if (!of.settings().contains(Case.NO_CONFIG)) {
      writeMarker();
      reload();
      awaitAccepted();
    }
  }

  private void write(Case of, Map<String, Optional<String>> files) {
    for (Map.Entry<String, Optional<String>> file : files.entrySet()) {
      String name = fileName(of, file.getKey());
      try {
        if (file.getValue().isPresent()) {
          write(folder, name, file.getValue().get());
        } else {
          Files.deleteIfExists(folder.resolve(name));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot change " + name + " in " + folder, e);
      }
    }
  }

  private void writeMarker() {
    written++;
    String text =
        """
        domain: %s
        descriptors:
          - key: %s
            rate_limit:
              unit: hour
              requests_per_unit: %d
        """
            .formatted(MARKER, KEY, written);
    try {
      write(folder, MARKER + ".yaml", text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the marker to " + folder, e);
    }
  }

  private Optional<String> reload() {
    return run.reloader == null ? Optional.empty() : run.reloader.reload();
  }

  private void awaitAccepted() {
    await("the server did not read its new files", () -> generation() == written);
    accepted = written;
  }

  /** The number that the server has read, or 0. */
  private int generation() {
    if (connection.ask(LOOK) instanceof Reply.Answer answer
        && answer.response().getStatusesCount() == 1) {
      RateLimitResponse.DescriptorStatus status = answer.response().getStatuses(0);
      return status.getCurrentLimit().getRequestsPerUnit();
    }
    return 0;
  }

  private void await(String otherwise, BooleanSupplier condition) {
    long end = System.nanoTime() + run.patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "%s within %d s (%s, %s)"
                .formatted(otherwise, run.patience.toSeconds(), run.target, folder));
      }
      Pause.millis(POLL_MILLIS);
    }
  }
}
