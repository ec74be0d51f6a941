package dev.weir.testkit.postgres;

import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The folder of a server: its data, its settings, and what its postmaster says about itself there.
 */
final class PostgresData {
  static final String USER = "weir";
  static final String PASSWORD = "weir-test";

  /** Lines of {@code postmaster.pid}, counted from 0. */
  private static final int PID = 0;

  /** By the directory of the programs. */
  private static final Map<Path, PostgresData> TEMPLATES = new HashMap<>();

  private static final int SHARED_MEMORY = 6;
  private static final int STATUS = 7;

  private final Path binaries;
  private final Path folder;
  private final Unprivileged user;

  private PostgresData(Path binaries, Path folder, Unprivileged user) {
    this.binaries = binaries;
    this.folder = folder;
    this.user = user;
  }

  /** Creates the data of an empty server in an empty directory. */
  static PostgresData create(Path binaries, Path folder, int port, List<String> settings) {
    try {
      PostgresData data = new PostgresData(binaries, folder, Unprivileged.ownerOf(folder));
      data.user.give(folder);
      data.copyFrom(template(binaries));
      Files.write(
          data.path().resolve("postgresql.conf"), lines(port, settings), StandardOpenOption.APPEND);
      return data;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns data that initdb has made; that takes longer than to copy it, so it runs once. */
  private static PostgresData template(Path binaries) throws IOException {
    synchronized (TEMPLATES) {
      PostgresData template = TEMPLATES.get(binaries);
      if (template == null) {
        Path folder = TemporaryFolder.create("postgres-template").path();
        template = new PostgresData(binaries, folder, Unprivileged.ownerOf(folder));
        template.initialise();
        TEMPLATES.put(binaries, template);
      }
      return template;
    }
  }

  private void initialise() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), PASSWORD);
    user.give(folder);
    user.give(password);
    run(
        command(
            "initdb",
            "--username=" + USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync"));
  }

  private void copyFrom(PostgresData template) throws IOException {
    List<String> command = new ArrayList<>(user.prefix());
    command.addAll(List.of("cp", "-a", template.path().toString(), path().toString()));
    run(new ProcessBuilder(command));
  }

  private static void run(ProcessBuilder program) throws IOException {
    Process process = program.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException(
          "%s failed:%n%s".formatted(program.command(), output.strip()));
    }
  }

  private static List<String> lines(int port, List<String> settings) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "listen_addresses = '127.0.0.1'",
                "port = " + port,
                // No socket and no memory outside the folder, where a kill would leave them.
                "unix_socket_directories = ''",
                "dynamic_shared_memory_type = mmap",
                "fsync = off",
                "timezone = 'UTC'",
                "log_timezone = 'UTC'"));
    for (String setting : settings) {
      if (setting.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("a setting must be one line, got \"" + setting + "\"");
      }
      lines.add(setting);
    }
    return lines;
  }

  /** One of PostgreSQL's programs, to be run on the data by whom it allows to. */
  ProcessBuilder command(String program, String... arguments) {
    List<String> command = new ArrayList<>(user.prefix());
    command.add(binaries.resolve("bin").resolve(program).toString());
    command.add("-D");
    command.add(path().toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    // Settings of whoever runs the tests are no business of theirs.
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    return builder;
  }

  /** Where the data is. */
  Path path() {
    return folder.resolve("data");
  }

  /** What the server writes. */
  Path log() {
    return folder.resolve("postgres.log");
  }

  /** Whether the postmaster with that pid takes connections. */
  boolean isReady(long pid) {
    List<String> lines = postmasterLines();
    return lines.size() > STATUS
        && lines.get(PID).equals(Long.toString(pid))
        && lines.get(STATUS).strip().equals("ready");
  }

  /**
   * Removes the piece of shared memory by which a postmaster knows that another one runs on its
   * data; one that is killed leaves it to the next.
   */
  void removeSharedMemory() {
    List<String> lines = postmasterLines();
    if (lines.size() <= SHARED_MEMORY) {
      return;
    }
    String[] keyAndId = lines.get(SHARED_MEMORY).strip().split("\\s+", -1);
    try {
      new ProcessBuilder("ipcrm", "-m", keyAndId[keyAndId.length - 1])
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit()
          .join();
    } catch (IOException missing) {
      // A system without the program keeps the few bytes until it ends.
    }
  }

  private List<String> postmasterLines() {
    try {
      return Files.readAllLines(path().resolve("postmaster.pid"));
    } catch (IOException none) {
      return List.of();
    }
  }
}
