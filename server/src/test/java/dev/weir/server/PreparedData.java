package dev.weir.server;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Data folders whose embedded database has all of its tables already: making them takes longer than
 * most tests.
 */
public final class PreparedData {
  private static final String FILE = "weir.mv.db";
  private static final byte[] DATABASE = make();

  private PreparedData() {}

  private static byte[] make() {
    try {
      Path folder = Files.createTempDirectory("weir-data");
      Database.open(new DatabaseSettings("", "", ""), folder).close();
      byte[] database = Files.readAllBytes(folder.resolve(FILE));
      Files.delete(folder.resolve(FILE));
      Files.delete(folder);
      return database;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Prepares that folder, unless it has been in use. */
  public static Path in(Path folder) {
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(FILE);
      if (!Files.exists(file)) {
        Files.write(file, DATABASE);
      }
      return folder;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
