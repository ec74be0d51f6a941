package dev.weir.cli;

import dev.weir.policy.config.ConfigException;
import dev.weir.server.StartException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir demo}: a service with traffic of its own, for a first look. */
@Command(
    name = "demo",
    sortOptions = false,
    description = "Run the service with traffic of its own, to look at the dashboard.",
    footer = {
      "",
      "It is reached from this machine only and reads no weir.toml; Ctrl-C ends it, and nothing of",
      "it stays. For example:",
      "  weir demo",
      "  weir demo --port 0 --rate 50 --seed 7"
    })
final class DemoCommand implements Callable<Integer> {
  private static final long MOST_REQUESTS = 5_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  @Option(
      names = "--port",
      paramLabel = "<n>",
      description = "Where it listens; 0: any that is free; default: 8080.")
  private String portText = "8080";

  @Option(
      names = "--rate",
      paramLabel = "<n>",
      description = "Requests a second, about, from 1 to 5000; default: 200.")
  private String rateText = "200";

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Of what is random: the same seed sends the same requests; default: 1.")
  private String seedText = "1";

  @Option(
      names = "--slow-redis",
      description =
          "Count on a Redis server that the demo starts, and freezes for 5 s every minute; needs"
              + " redis-server.")
  private boolean isOnRedis;

  @Option(
      names = "--freezes",
      hidden = true,
      description = "When Redis is frozen: <first after>,<for>,<again after>; for tests.")
  private String freezesText = "10s,5s,55s";

  private final Shell shell;

  /**
   * When Redis is frozen.
   *
   * @param firstMicros how long after the start
   * @param frozenMicros for how long
   * @param restMicros how long it runs before it is frozen again
   */
  private record Freezes(long firstMicros, long frozenMicros, long restMicros) {
    static Freezes parse(String text) {
      String[] times = text.split(",", -1);
      if (times.length != 3) {
        throw new IllegalArgumentException("must be three durations, got \"" + text + "\"");
      }
      return new Freezes(
          TimeText.parseMicros(times[0]),
          TimeText.parseMicros(times[1]),
          TimeText.parseMicros(times[2]));
    }
  }

  DemoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    Demo.Wish wish =
        new Demo.Wish(
            (int) number("--port", portText, 0, 65_535),
            (int) number("--rate", rateText, 1, MOST_REQUESTS),
            number("--seed", seedText, 0, Long.MAX_VALUE),
            isOnRedis);
    Freezes freezes = InputException.readOption("--freezes", freezesText, Freezes::parse);
    ServiceLog.startWithWarnings();
    Demo demo = start(wish);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stopped.countDown();
                  demo.close();
                },
                "weir-stop"));
    introduce(demo, wish);
    DemoRedis redis = demo.redis();
    if (redis == null) {
      stopped.await();
    } else {
      freezeAgainAndAgain(redis, freezes, stopped);
    }
    return 0;
  }

  private static long number(String option, String text, long least, long most) {
    return InputException.readOption(option, text, value -> Numbers.parse(value, least, most));
  }

  private Demo start(Demo.Wish wish) {
    try {
      return new Demo(wish, shell.environment());
    } catch (ConfigException wrong) {
      throw new MistakesException(wrong.mistakes());
    } catch (StartException wrong) {
      throw new InputException(String.valueOf(wrong.getMessage()));
    }
  }

  private void introduce(Demo demo, Demo.Wish wish) {
    say(demo.summary());
    say("dashboard: " + demo.url() + "/");
    say(
        """
        traffic: about %d requests a second (seed %d), a day of five minutes
          users of the tiers free, pro and enterprise, few of whom ask for most; batch jobs in bursts
          an attacker at %s who tries one user after the other on /login
          a scraper all over 198.51.100.0/24, and a crawler that waits as long as it is told
          a blocked user, API keys, a rule in shadow mode, penalties
        """
            .formatted(wish.rate(), wish.seed(), DemoVisitors.ATTACKER)
            .stripTrailing());
    String url = demo.url().equals(ServerUrl.parse(ServerUrl.USUAL)) ? "" : " --url " + demo.url();
    say("look, too: weir top" + url + "; Ctrl-C ends it all");
  }

  private void freezeAgainAndAgain(DemoRedis redis, Freezes freezes, CountDownLatch stopped)
      throws InterruptedException {
    long rest = freezes.firstMicros;
    while (!stopped.await(rest, TimeUnit.MICROSECONDS)) {
      redis.freeze();
      say(
          "%s Redis is frozen for %d s; decisions go on, degraded"
              .formatted(now(), TimeUnit.MICROSECONDS.toSeconds(freezes.frozenMicros)));
      if (stopped.await(freezes.frozenMicros, TimeUnit.MICROSECONDS)) {
        return;
      }
      redis.thaw();
      say(now() + " Redis goes on");
      rest = freezes.restMicros;
    }
  }

  private static String now() {
    return TIME.format(LocalTime.now(ZoneId.systemDefault()));
  }

  private void say(String text) {
    shell.out().println(text);
    shell.out().flush();
  }
}
