package dev.weir.bench;

import dev.weir.bench.ControlRun.Requests;
import dev.weir.control.database.Database;
import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.process.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a service at {@code /v1/auth} for clients with keys that the database knows, beside clients
 * without, in turns. What counts is the processor time of the threads that decide; the service's
 * other threads write down what keys have used.
 */
final class KeyedService {
  private static final int CONNECTIONS = 64;
  private static final int TURNS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The beginning of a name, of which Linux keeps 15 characters. */
  private static final String DECIDING = "vert.x-eventloo";

  private KeyedService() {}

  /** What a turn, or all of them, came to. */
  private static final class Course {
    final boolean hasKey;
    final Wrk wrk;
    ServerLoad.Stretch all = ServerLoad.Stretch.NONE;
    Duration deciding = Duration.ZERO;

    Course(boolean hasKey, Wrk wrk) {
      this.hasKey = hasKey;
      this.wrk = wrk;
    }

    void turn(ServerProcess server, Duration span) throws IOException, InterruptedException {
      Duration cpu = server.cpu();
      Duration threads = server.cpuOfThreads(DECIDING);
      ServerLoad.Stretch asked = wrk.run(server.port(), CONNECTIONS, span);
      deciding = deciding.plus(server.cpuOfThreads(DECIDING).minus(threads));
      all =
          all.plus(
              new ServerLoad.Stretch(
                  asked.count(),
                  asked.seconds(),
                  server.cpu().minus(cpu),
                  Duration.ZERO,
                  asked.bad()));
    }

    Requests requests(int clients) {
      if (all.bad() > 0) {
        throw new IllegalStateException(
            "expected all to be allowed, but %d were not".formatted(all.bad()));
      }
      return new Requests(
          hasKey,
          clients,
          all.count() / all.seconds(),
          deciding.toNanos() / 1e3 / all.count(),
          all.cpu().toNanos() / 1e3 / all.count());
    }
  }

  /** Measures on a server whose first database has many clients. */
  static List<Requests> run(PostgresServer postgres, Path folder, Duration span)
      throws IOException, InterruptedException {
    List<Requests> all = new ArrayList<>();
    for (int clients : ControlReport.CLIENTS) {
      // A service for each, which has nobody else to think of.
      Path own = folder.resolve("service-" + clients);
      forgetUse(postgres);
      try (ServerProcess server = WeirService.start(ManyClients.toml(postgres), own);
          Database database = ManyClients.open(postgres)) {
        List<Course> warmUp = courses(clients, own);
        for (Course course : warmUp) {
          course.turn(server, span);
        }
        awaitUse(database, clients);
        List<Course> courses = courses(clients, own);
        for (int turn = 0; turn < TURNS; turn++) {
          for (Course course : courses) {
            course.turn(server, span);
          }
        }
        courses.forEach(course -> all.add(course.requests(clients)));
      }
    }
    return all;
  }

  private static List<Course> courses(int clients, Path folder) throws IOException {
    return List.of(
        new Course(false, Wrk.prepare(requests(clients, false), "without", folder)),
        new Course(true, Wrk.prepare(requests(clients, true), "with", folder)));
  }

  private static byte[][] requests(int clients, boolean hasKey) {
    byte[][] requests = ServerCall.AUTH.requests(clients);
    for (int client = 0; hasKey && client < clients; client++) {
      String plain = new String(requests[client], StandardCharsets.US_ASCII);
      String field = "X-API-Key: " + ManyClients.key(client);
      requests[client] =
          plain.replaceFirst("\r\n", "\r\n" + field + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
    return requests;
  }

  /** The service knew the keys: what they have used is written down, of many of them. */
  private static void awaitUse(Database database, int clients) {
    Await.until("keys are known and used", PATIENCE, () -> usedKeys(database) > clients / 10);
  }

  private static long usedKeys(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select count(*) from api_keys where total_requests > 0")
                    .mapTo(Long.class)
                    .one());
  }

  private static void forgetUse(PostgresServer postgres) {
    try (Database database = ManyClients.open(postgres)) {
      database
          .jdbiForLongWork()
          .useHandle(handle -> handle.execute("update api_keys set total_requests = 0"));
    }
  }
}
