package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.backtest.Backtest;
import dev.weir.backtest.LogFiles;
import dev.weir.backtest.LogOptions;
import dev.weir.backtest.LoggedRequest;
import dev.weir.backtest.RequestLog;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Replays a log as {@code weir backtest} does, and prints how long that took. */
final class BacktestLoad {
  private static final double SECOND = 1e9;
  private static final double MEGABYTE = 1e6;

  private BacktestLoad() {}

  /** Arguments: the policy, the log, and the {@link BacktestRun.Part} of the work. */
  public static void main(String[] args) throws IOException {
    Config config = ConfigReader.read(Path.of(args[0]), Map.of());
    BacktestRun.Part part = BacktestRun.Part.valueOf(args[2]);
    Backtest backtest = Backtest.of(config, Backtest.USUAL_TOP);
    long start = System.nanoTime();
    try (RequestLog log =
        LogFiles.open(
            List.of(args[1]),
            InputStream.nullInputStream(),
            LogOptions.usual(config.client().ipv6Prefix()))) {
      for (LoggedRequest next = log.next(); next != null; next = log.next()) {
        if (part == BacktestRun.Part.REPLAY) {
          backtest.accept(next);
        }
      }
      var report = backtest.report(log.counts());
      double seconds = (System.nanoTime() - start) / SECOND;
      double cpuSeconds = cpuNanos() / SECOND;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      double heap = (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
      // Asked for once more, so that the collector did not take it away before.
      long refused = backtest.report(log.counts()).totals().after().refused();
      if (refused != report.totals().after().refused()) {
        throw new IllegalStateException("two reports differ");
      }
      BacktestRun run =
          new BacktestRun(part, log.counts().requests(), refused, seconds, cpuSeconds, heap);
      System.out.println(new Gson().toJson(run));
    }
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }
}
