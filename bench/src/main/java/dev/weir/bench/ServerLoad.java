package dev.weir.bench;

import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own, and what asks it: as fast as it goes, or at a steady rate. */
final class ServerLoad implements AutoCloseable {
  final ServerContender contender;
  private final Path folder;
  private final @Nullable RedisServer redis;
  private final ServerProcess server;
  private final Map<Integer, Wrk> wrks = new HashMap<>();

  private ServerLoad(
      ServerContender contender, Path folder, @Nullable RedisServer redis, ServerProcess server) {
    this.contender = contender;
    this.folder = folder;
    this.redis = redis;
    this.server = server;
  }

  /** Starts a server that has its files in a part of the folder. */
  static ServerLoad start(ServerContender contender, Path folder)
      throws IOException, InterruptedException {
    Path own = folder.resolve(contender.name());
    RedisServer redis = contender.isOnRedis ? RedisServer.start() : null;
    try {
      String uri = redis == null ? null : redis.uri();
      return new ServerLoad(contender, own, redis, contender.start(own, uri));
    } catch (IOException | RuntimeException failure) {
      if (redis != null) {
        redis.close();
      }
      throw failure;
    }
  }

  /**
   * What came of asking as fast as it goes.
   *
   * @param count decisions
   * @param seconds how long
   * @param cpu what the server used
   * @param redisCpu what Redis used
   * @param bad requests that failed or got another answer than they had to
   */
  record Stretch(long count, double seconds, Duration cpu, Duration redisCpu, long bad) {
    static final Stretch NONE = new Stretch(0, 0, Duration.ZERO, Duration.ZERO, 0);

    Stretch plus(Stretch more) {
      return new Stretch(
          count + more.count,
          seconds + more.seconds,
          cpu.plus(more.cpu),
          redisCpu.plus(more.redisCpu),
          bad + more.bad);
    }

    ServerRun.Most most() {
      return new ServerRun.Most(count / seconds, each(cpu), each(redisCpu), bad);
    }

    private double each(Duration used) {
      return used.toNanos() / 1e3 / count;
    }
  }

  /** Asks as fast as it goes, for that many clients. */
  Stretch ask(int clients, Duration span) throws IOException, InterruptedException {
    Duration cpu = server.cpu();
    Duration redisCpu = redisCpu();
    Stretch asked =
        contender.call == ServerCall.RLS ? askByGrpc(clients, span) : askByWrk(clients, span);
    return new Stretch(
        asked.count * contender.call.decisions(),
        asked.seconds,
        server.cpu().minus(cpu),
        redisCpu().minus(redisCpu),
        asked.bad);
  }

  private Stretch askByWrk(int clients, Duration span) throws IOException, InterruptedException {
    Wrk wrk = wrks.get(clients);
    if (wrk == null) {
      wrk = Wrk.prepare(contender.call, clients, folder);
      wrks.put(clients, wrk);
    }
    return wrk.run(server.port(), contender.connections(), span);
  }

  private Stretch askByGrpc(int clients, Duration span) throws IOException {
    try (Traffic traffic = traffic(clients)) {
      long start = System.nanoTime();
      Tally tally = traffic.asFastAsItGoes(span);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Stretch(tally.count(), seconds, Duration.ZERO, Duration.ZERO, tally.wrong());
    }
  }

  /** Asks at a steady rate, for that many clients, after having done so for a while. */
  ServerRun.Half askAt(double perSecond, int clients, Duration settle, Duration span)
      throws IOException {
    try (Traffic traffic = traffic(clients)) {
      double calls = perSecond / contender.call.decisions();
      traffic.at(calls, settle);
      Tally tally = traffic.at(calls, span);
      return new ServerRun.Half(perSecond, tally.micros(50), tally.micros(99), tally.wrong());
    }
  }

  private Traffic traffic(int clients) throws IOException {
    return new Traffic(
        server.address(), contender.call, clients, contender.connections(), contender.depth());
  }

  private Duration redisCpu() {
    return redis == null
        ? Duration.ZERO
        : ServerProcess.cpuOf(ProcessHandle.of(redis.pid()).orElseThrow());
  }

  @Override
  public void close() {
    server.close();
    if (redis != null) {
      redis.close();
    }
  }
}
