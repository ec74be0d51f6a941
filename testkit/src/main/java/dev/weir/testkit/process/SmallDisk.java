package dev.weir.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A file system in memory that can be really full; whoever may not mount one skips the test. */
public final class SmallDisk implements AutoCloseable {
  /** The user that owns nothing, whom PostgreSQL runs as where root starts it. */
  private static final int NOBODY = 65_534;

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  /**
   * Mounts one in a folder, which is made.
   *
   * @param size such as {@code 200k} or {@code 16m}
   */
  public static SmallDisk mount(Path path, String size) throws IOException {
    return mountWith(path, "size=" + size);
  }

  /** Mounts one that belongs to nobody. */
  public static SmallDisk mountForNobody(Path path, String size) throws IOException {
    return mountWith(path, "size=%s,uid=%d,mode=0700".formatted(size, NOBODY));
  }

  private static SmallDisk mountWith(Path path, String options) throws IOException {
    Files.createDirectory(path);
    String said = run("mount", "-t", "tmpfs", "-o", options, "weir-test", path.toString());
    Assumptions.assumeTrue(said.isEmpty(), "a small file system cannot be mounted: " + said);
    return new SmallDisk(path);
  }

  /** What a program says; nothing if it goes well. */
  private static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.onExit().join().exitValue();
      return status == 0 ? "" : said.strip() + " (" + status + ")";
    } catch (IOException missing) {
      return missing.toString();
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  private Path filler() {
    return path.resolve("filler");
  }

  /** Takes all the room that is left. */
  public void fill() throws IOException {
    byte[] block = new byte[4_096];
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (Files.getFileStore(path).getUsableSpace() > 0) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left on device");
    }
  }

  /** Gives it back. */
  public void free() throws IOException {
    Files.delete(filler());
  }

  /** Makes it larger, without anybody noticing but by the room. */
  public void grow(String size) {
    remount("size=" + size);
  }

  /** Lets nobody write to it any more, or again. */
  public void setReadOnly(boolean isReadOnly) {
    remount(isReadOnly ? "ro" : "rw");
  }

  private void remount(String options) {
    assertThat(run("mount", "-o", "remount," + options, path.toString())).isEmpty();
  }

  @Override
  public void close() {
    assertThat(run("umount", path.toString())).isEmpty();
  }
}
