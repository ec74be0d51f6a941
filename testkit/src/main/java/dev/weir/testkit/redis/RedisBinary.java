package dev.weir.testkit.redis;

import dev.weir.testkit.process.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds redis-server: in the jar of embedded-redis, else on the PATH. */
final class RedisBinary {
  private RedisBinary() {}

  private static final String NAME = "redis-server";

  /** The executable, unpacked once in this JVM. */
  static Path path() {
    return Holder.PATH;
  }

  private static final class Holder {
    static final Path PATH =
        find(System.getProperty("os.name"), System.getProperty("os.arch"), System.getenv("PATH"));
  }

  static Path find(String os, String architecture, String path) {
    return unpack(resource(os, architecture))
        .or(() -> onPath(path))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no redis-server for %s on %s; install Redis 7, for example: apt-get install redis-server"
                        .formatted(os, architecture)));
  }

  private static String resource(String os, String architecture) {
    String system = os.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : os;
    String processor =
        switch (architecture) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          case "x86", "i386", "i686" -> "386";
          default -> architecture;
        };
    return "redis-server-7.0.15-%s-%s".formatted(system.toLowerCase(Locale.ROOT), processor);
  }

  private static Optional<Path> unpack(String resource) {
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        return Optional.empty();
      }
      Path file = TemporaryFolder.create("redis-binary").path().resolve(NAME);
      Files.copy(in, file);
      if (!file.toFile().setExecutable(true, true)) {
        throw new IOException("cannot make " + file + " executable");
      }
      return Optional.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Path> onPath(String path) {
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, NAME))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
