package dev.weir.bench;

import static dev.weir.bench.ServerContender.BARE_AUTH;
import static dev.weir.bench.ServerContender.BARE_CHECK;
import static dev.weir.bench.ServerContender.BARE_RLS;
import static dev.weir.bench.ServerContender.NGINX;
import static dev.weir.bench.ServerContender.WEIR_AUTH;
import static dev.weir.bench.ServerContender.WEIR_AUTH_REDIS;
import static dev.weir.bench.ServerContender.WEIR_CHECK;
import static dev.weir.bench.ServerContender.WEIR_CHECKS_REDIS;
import static dev.weir.bench.ServerContender.WEIR_CHECK_REDIS;
import static dev.weir.bench.ServerContender.WEIR_RLS;
import static dev.weir.bench.ServerContender.WEIR_RLS_REDIS;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Turns the runs of servers into Markdown: the targets first, then every figure. */
final class ServerReport {
  static final String SUITE = "server";

  /** What services on Redis are compared with. */
  static final String LIBRARY = "Weir's library on Redis";

  private static final double LONGEST_MILLIS = 5;

  private final ServerRounds rounds;

  private ServerReport(ServerRounds rounds) {
    this.rounds = rounds;
  }

  static String of(RunFiles files) throws IOException {
    ServerReport report = new ServerReport(files.server().orElseThrow());
    Page page = Page.of(files, SUITE);
    page.targets(report.targets());
    page.add("### As fast as it goes, counters in memory");
    for (int clients : report.clientCounts()) {
      page.add(report.inMemory(clients));
    }
    page.add("### As fast as it goes, counters on Redis");
    for (int clients : report.clientCounts()) {
      page.add(report.onRedis(clients));
    }
    page.add("### At half of that rate");
    for (int clients : report.clientCounts()) {
      page.add(report.half(clients));
    }
    return page.toString();
  }

  static List<Target> targets(ServerRounds rounds) {
    return new ServerReport(rounds).targets();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int clients : clientCounts()) {
      addRate(targets, WEIR_CHECK, BARE_CHECK, clients, 0.6);
      addRate(targets, WEIR_AUTH, BARE_AUTH, clients, 0.75);
      addRate(targets, WEIR_RLS, BARE_RLS, clients, 0.75);
      addRate(targets, WEIR_AUTH, NGINX, clients, 0.8);
      for (ServerContender onRedis :
          List.of(WEIR_CHECK_REDIS, WEIR_CHECKS_REDIS, WEIR_AUTH_REDIS, WEIR_RLS_REDIS)) {
        if (ran(onRedis)) {
          targets.add(
              Target.atLeast(
                  "%s / %s, %s".formatted(onRedis.title, LIBRARY, named(clients)),
                  perSecond(onRedis, clients).ratioTo(library(clients)),
                  0.5));
        }
      }
      for (ServerContender contender : contenders()) {
        if (contender.isWeir()) {
          targets.add(
              Target.below(
                  "%s, p99 ms at half load, %s".formatted(contender.title, named(clients)),
                  figure(contender, clients, run -> run.half().p99Micros() / 1_000),
                  LONGEST_MILLIS));
        }
      }
    }
    long bad = rounds.runs().stream().mapToLong(ServerReport::bad).sum();
    targets.add(
        new Target("requests that failed or got a wrong answer", Page.grouped(bad), "0", bad == 0));
    return targets;
  }

  private void addRate(
      List<Target> targets, ServerContender one, ServerContender other, int clients, double least) {
    if (ran(one) && ran(other)) {
      targets.add(
          Target.atLeast(
              "%s / %s, %s".formatted(one.title, other.title, named(clients)),
              perSecond(one, clients).ratioTo(perSecond(other, clients)),
              least));
    }
  }

  private MarkdownTable inMemory(int clients) {
    MarkdownTable table =
        new MarkdownTable(
            named(clients), "requests/s", "× bare", "CPU µs each", "CPU × bare", "bad");
    for (ServerContender contender : contenders()) {
      if (!contender.isOnRedis) {
        Figure perSecond = perSecond(contender, clients);
        Figure cpu = figure(contender, clients, run -> run.most().cpuMicros());
        ServerContender bare = contender.bare();
        table.row(
            contender.title,
            perSecond.show(0),
            perSecond.ratioTo(perSecond(bare, clients)).show(2),
            cpu.show(1),
            cpu.ratioTo(figure(bare, clients, run -> run.most().cpuMicros())).show(2),
            Page.grouped(bad(contender, clients)));
      }
    }
    return table;
  }

  private MarkdownTable onRedis(int clients) {
    MarkdownTable table =
        new MarkdownTable(
            named(clients), "decisions/s", "× library", "CPU µs each", "Redis CPU µs each", "bad");
    Figure library = library(clients);
    for (ServerContender contender : contenders()) {
      if (contender.isOnRedis) {
        Figure perSecond = perSecond(contender, clients);
        table.row(
            contender.title,
            perSecond.show(0),
            perSecond.ratioTo(library).show(2),
            figure(contender, clients, run -> run.most().cpuMicros()).show(1),
            figure(contender, clients, run -> run.most().redisCpuMicros()).show(1),
            Page.grouped(bad(contender, clients)));
      }
    }
    table.row(LIBRARY, library.show(0), library.ratioTo(library).show(2), "", "", "");
    return table;
  }

  private MarkdownTable half(int clients) {
    MarkdownTable table = new MarkdownTable(named(clients), "requests/s", "p50 ms", "p99 ms");
    for (ServerContender contender : contenders()) {
      table.row(
          contender.title,
          figure(contender, clients, run -> run.half().perSecond()).show(0),
          figure(contender, clients, run -> run.half().p50Micros() / 1_000).show(2),
          figure(contender, clients, run -> run.half().p99Micros() / 1_000).show(2));
    }
    return table;
  }

  /** Without those that had no part in the run. */
  private List<ServerContender> contenders() {
    return rounds.runs().stream().map(ServerRun::contender).distinct().sorted().toList();
  }

  private boolean ran(ServerContender contender) {
    return contenders().contains(contender);
  }

  private List<Integer> clientCounts() {
    return rounds.runs().stream().map(ServerRun::clients).distinct().sorted().toList();
  }

  private Figure perSecond(ServerContender contender, int clients) {
    return figure(contender, clients, run -> run.most().perSecond());
  }

  private Figure library(int clients) {
    return new Figure(
        rounds.library().stream()
            .filter(run -> run.keys() == clients)
            .flatMap(run -> run.loads().stream())
            .filter(load -> load.inFlight() == RedisLoad.USUAL_IN_FLIGHT)
            .map(RedisRun.Load::perSecond)
            .toList());
  }

  /** One number for each round. */
  private Figure figure(ServerContender contender, int clients, ToDoubleFunction<ServerRun> what) {
    return new Figure(
        rounds.runs().stream()
            .filter(run -> run.contender() == contender && run.clients() == clients)
            .map(what::applyAsDouble)
            .toList());
  }

  private long bad(ServerContender contender, int clients) {
    return rounds.runs().stream()
        .filter(run -> run.contender() == contender && run.clients() == clients)
        .mapToLong(ServerReport::bad)
        .sum();
  }

  private static long bad(ServerRun run) {
    return run.most().bad() + run.half().bad();
  }

  private static String named(int clients) {
    return Page.grouped(clients) + " clients";
  }
}
