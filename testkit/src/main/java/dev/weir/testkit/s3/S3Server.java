package dev.weir.testkit.s3;

import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.RunningProgram;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A server that speaks S3, on a free port of the loopback address, in a process of its own. Its
 * buckets are folders, where a test can look at what is stored and damage it.
 *
 * <p>It takes requests once {@code start} returns, signed ones only. {@link #close} ends it and
 * removes its folder; the end of the JVM does so too.
 */
public final class S3Server implements AutoCloseable {
  private static final String PROGRAM = "/s3proxy.jar";
  private static final String ACCESS_KEY = "weir-test";
  private static final String SECRET_KEY = "weir-test-secret";
  private static final int START_ATTEMPTS = 3;

  private final TemporaryFolder folder;
  private final Path buckets;
  private final int port;
  private final RunningProgram program;

  private S3Server(TemporaryFolder folder) {
    this.folder = folder;
    this.port = Ports.free();
    try {
      this.buckets = Files.createDirectory(folder.path().resolve("buckets"));
      Files.write(
          folder.path().resolve("s3proxy.conf"),
          List.of(
              "s3proxy.authorization=aws-v4",
              "s3proxy.identity=" + ACCESS_KEY,
              "s3proxy.credential=" + SECRET_KEY,
              "s3proxy.endpoint=" + endpoint(),
              "jclouds.provider=filesystem-nio2",
              "jclouds.identity=" + ACCESS_KEY,
              "jclouds.credential=" + SECRET_KEY,
              "jclouds.filesystem.basedir=" + buckets));
      this.program =
          RunningProgram.start(
              new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-jar",
                  jar(folder.path()).toString(),
                  "--properties",
                  "s3proxy.conf"),
              folder.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path jar(Path folder) throws IOException {
    try (InputStream in = S3Server.class.getResourceAsStream(PROGRAM)) {
      if (in == null) {
        throw new IllegalStateException(
            "there is no resource s3proxy.jar; build the module by Maven, which puts it there");
      }
      Path jar = folder.resolve("s3proxy.jar");
      Files.copy(in, jar);
      return jar;
    }
  }

  /**
   * Starts a server without any bucket.
   *
   * @throws IllegalStateException if it does not come up; the message then ends with what it wrote
   */
  public static S3Server start() {
    for (int attempt = 1; ; attempt++) {
      TemporaryFolder folder = TemporaryFolder.create("s3");
      S3Server server;
      try {
        server = new S3Server(folder);
      } catch (RuntimeException e) {
        folder.close();
        throw e;
      }
      try {
        server.program.awaitPort(server.port);
        return server;
      } catch (IllegalStateException e) {
        // Another program may have taken the port since it was found free.
        boolean taken = Ports.wasTaken(server.program.lastWords());
        server.close();
        if (!taken || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Such as {@code http://127.0.0.1:12345}. */
  public URI endpoint() {
    return URI.create("http://%s:%d".formatted(Ports.HOST, port));
  }

  /** The only one who may do anything. */
  public String accessKey() {
    return ACCESS_KEY;
  }

  /** The secret that goes with it. */
  public String secretKey() {
    return SECRET_KEY;
  }

  /** The region that it answers for; it takes any. */
  public String region() {
    return "us-east-1";
  }

  /** Makes a bucket; returns the folder in which its objects are files. */
  public Path createBucket(String name) {
    try {
      // What others may read on disk, the server would show to everybody.
      return Files.createDirectory(
          buckets.resolve(name),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the server and removes its folder. */
  @Override
  public void close() {
    program.close();
    folder.close();
  }

  @Override
  public String toString() {
    return "S3 on " + endpoint();
  }
}
