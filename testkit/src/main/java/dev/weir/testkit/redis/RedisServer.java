package dev.weir.testkit.redis;

import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a free port of the loopback address, for a test to use and to break.
 *
 * <p>The program comes from the jar of embedded-redis, or from the PATH where that has none for the
 * platform. It is up, and answers PING, once {@code start} returns. {@link #close} kills it, paused
 * or not, and removes its folder; the end of the JVM does so too.
 *
 * <p>Safe for use by several threads; those that stop or start the server wait for each other.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final int START_ATTEMPTS = 3;
  private static final List<String> SENTINEL = List.of("--sentinel");

  private final TemporaryFolder folder;
  private final RedisConfig config;
  private final List<String> arguments;
  private final int port;
  private final int tlsPort;
  private volatile RedisProcess process;

  private RedisServer(TemporaryFolder folder, RedisConfig config, List<String> arguments) {
    this.folder = folder;
    this.config = config;
    this.arguments = arguments;
    this.port = Ports.free();
    this.tlsPort = config.certificate() == null ? 0 : Ports.free();
    // Written once: Redis and Sentinel rewrite this file, and a restart has to keep that.
    write(
        arguments.equals(SENTINEL)
            ? config.sentinelLinesFor(port)
            : config.linesFor(port, tlsPort));
    this.process = RedisProcess.start(folder.path(), arguments);
  }

  /** Starts a server that keeps nothing on disk and asks for no password. */
  public static RedisServer start() {
    return start(RedisConfig.plain());
  }

  /**
   * Starts a server.
   *
   * @throws IllegalStateException if there is no redis-server, or if it does not come up; the
   *     message then ends with what it wrote last
   */
  public static RedisServer start(RedisConfig config) {
    return start(config, List.of());
  }

  static RedisServer startSentinel(List<String> lines) {
    return start(RedisConfig.plain().with(lines.toArray(String[]::new)), SENTINEL);
  }

  /**
   * Returns the server that all tests of this JVM share, starting it on first use.
   *
   * <p>It runs until the JVM ends, with the default configuration. Give each test class a key
   * prefix of its own, and start a private server for a test that stops, pauses, flushes or
   * reconfigures it.
   */
  public static RedisServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final RedisServer SERVER = start();
  }

  private static RedisServer start(RedisConfig config, List<String> arguments) {
    for (int attempt = 1; ; attempt++) {
      RedisServer server = new RedisServer(TemporaryFolder.create("redis"), config, arguments);
      try {
        server.awaitAnswer();
        return server;
      } catch (RuntimeException e) {
        // Another program may have taken the port since it was found free.
        boolean taken = Ports.wasTaken(server.process.lastWords());
        server.close();
        if (!taken || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void write(List<String> lines) {
    try {
      Files.write(folder.path().resolve("redis.conf"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The loopback address, as digits. */
  public String host() {
    return Ports.HOST;
  }

  /** The port for plain connections, the same over the whole life. */
  public int port() {
    return port;
  }

  /**
   * The port for TLS.
   *
   * @throws IllegalStateException if the server was started without a certificate
   */
  public int tlsPort() {
    if (tlsPort == 0) {
      throw new IllegalStateException(
          "the server has no TLS port; start it with RedisConfig.withTls");
    }
    return tlsPort;
  }

  /** Such as {@code redis://:password@127.0.0.1:12345}, the password only where there is one. */
  public String uri() {
    return "redis://%s%s:%d".formatted(credentials(), host(), port());
  }

  /** Such as {@code rediss://127.0.0.1:12346}, for the port with TLS. */
  public String tlsUri() {
    return "rediss://%s%s:%d".formatted(credentials(), host(), tlsPort());
  }

  private String credentials() {
    return config.password() == null ? "" : ":" + config.password() + "@";
  }

  /** A new connection as the default user. */
  public RespClient client() {
    return logIn(RespClient.connect(host(), port));
  }

  /** The same for keys of any bytes. */
  RespClient clientForBytes(Duration timeout) {
    return logIn(RespClient.connectForBytes(host(), port, timeout));
  }

  private RespClient logIn(RespClient client) {
    @Nullable String password = config.password();
    if (password != null) {
      client.call("AUTH", password);
    }
    return client;
  }

  /** The process that runs now, or that ran last. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process runs; a paused one does. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Freezes the process (SIGSTOP): the kernel still accepts connections, nobody answers. */
  public synchronized void pause() {
    process.pause();
  }

  /** Lets a paused process go on (SIGCONT). */
  public synchronized void resume() {
    process.resume();
  }

  /** Kills the process (SIGKILL) and waits until it is gone. */
  public synchronized void kill() {
    process.kill();
  }

  /** Kills the process if it runs, and starts it on the same port without any data. */
  public synchronized void restartEmpty() {
    kill();
    folder.delete("dump.rdb");
    folder.delete("appendonlydir");
    startAgain();
  }

  /**
   * Saves the data, kills the process, and starts it on the same port with what it saved. A process
   * killed before comes back with what it had on disk.
   */
  public synchronized void restartKeepingData() {
    if (process.isAlive()) {
      process.resume();
      try (RespClient client = client()) {
        client.call("SAVE");
      }
      kill();
    }
    startAgain();
  }

  private void startAgain() {
    process = RedisProcess.start(folder.path(), arguments);
    awaitAnswer();
  }

  private void awaitAnswer() {
    Await.until("redis-server answers on port " + port, START_TIMEOUT, this::answers);
  }

  private boolean answers() {
    if (!process.isAlive()) {
      throw new Await.FinalFailure("redis-server did not start:\n" + process.lastWords());
    }
    try (RespClient client = RespClient.connect(host(), port)) {
      return "PONG".equals(client.call("PING"));
    } catch (RespError e) {
      return e.code().equals("NOAUTH");
    }
  }

  /** Kills the process and removes its folder; the shared server must not be closed. */
  @Override
  public synchronized void close() {
    process.kill();
    folder.close();
  }

  @Override
  public String toString() {
    return "redis-server on port %d, pid %d".formatted(port, pid());
  }
}
