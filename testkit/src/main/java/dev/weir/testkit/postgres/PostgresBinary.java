package dev.weir.testkit.postgres;

import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.tukaani.xz.XZInputStream;

/** Finds PostgreSQL: in the jar of weir-postgres-binaries, else where Debian installs it. */
final class PostgresBinary {
  private PostgresBinary() {}

  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
  private static final Map<PostgresServer.Version, Path> FOLDERS =
      new EnumMap<>(PostgresServer.Version.class);

  /** The folder that has {@code bin/postgres}, unpacked once in this JVM. */
  static Path folder(PostgresServer.Version version) {
    synchronized (FOLDERS) {
      return FOLDERS.computeIfAbsent(
          version,
          missing ->
              find(
                  missing,
                  System.getProperty("os.name"),
                  System.getProperty("os.arch"),
                  INSTALLED));
    }
  }

  static Path find(PostgresServer.Version version, String os, String architecture, Path installed) {
    String name = "postgres-" + version.major();
    return unpack(name, "/%s/%s".formatted(name, archive(os, architecture)))
        .or(() -> installed(installed.resolve(Integer.toString(version.major()))))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no PostgreSQL %d for %s on %s; add weir-postgres-binaries to the class path, or install it: apt-get install postgresql-%1$d"
                        .formatted(version.major(), os, architecture)));
  }

  private static String archive(String os, String architecture) {
    String processor =
        switch (architecture) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> architecture;
        };
    return "postgres-%s-%s.txz".formatted(os.toLowerCase(Locale.ROOT), processor);
  }

  private static Optional<Path> installed(Path folder) {
    return Optional.of(folder)
        .filter(there -> Files.isExecutable(there.resolve("bin").resolve("postgres")));
  }

  private static Optional<Path> unpack(String name, String resource) {
    try (InputStream in = PostgresBinary.class.getResourceAsStream(resource)) {
      if (in == null) {
        return Optional.empty();
      }
      Path folder = TemporaryFolder.create(name + "-binary").path();
      // Whoever runs it may be another user than the one who unpacks it.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      untar(new XZInputStream(in), folder);
      return Optional.of(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + resource, e);
    }
  }

  /** By the program, which every system has; it knows links and rights. */
  private static void untar(InputStream archive, Path folder) throws IOException {
    Process tar =
        new ProcessBuilder("tar", "-x", "-o", "-f", "-", "-C", folder.toString())
            .redirectErrorStream(true)
            .start();
    try (OutputStream out = tar.getOutputStream()) {
      archive.transferTo(out);
    }
    String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (tar.onExit().join().exitValue() != 0) {
      throw new IOException("tar: " + output.strip());
    }
  }
}
