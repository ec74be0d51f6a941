package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One server of each kind, asked for a moment; {@link ServerLoadLongIT} has all of them. */
class ServerLoadIT {
  private static final Duration MOMENT = Duration.ofMillis(50);

  @TempDir private Path folder = Path.of("");

  @Test
  void overHttpAndByWrk() throws IOException, InterruptedException {
    Program.orSkip("wrk");
    try (ServerLoad load = ServerLoad.start(ServerContender.BARE_CHECK, folder)) {
      assertAnswersRightly(load);

      // The shortest run of wrk is a second.
      ServerLoad.Stretch stretch = load.ask(100, Duration.ofSeconds(1));
      assertThat(stretch.bad()).isZero();
      assertThat(stretch.count()).isPositive();
      assertThat(stretch.cpu()).isPositive();
    }
  }

  @Test
  void overGrpcAndOnRedis() throws IOException, InterruptedException {
    try (ServerLoad load = ServerLoad.start(ServerContender.WEIR_RLS_REDIS, folder)) {
      assertAnswersRightly(load);
    }
  }

  @Test
  void anotherProgram() throws IOException, InterruptedException {
    Program.orSkip("nginx");
    try (ServerLoad load = ServerLoad.start(ServerContender.NGINX, folder)) {
      assertAnswersRightly(load);
    }
  }

  private static void assertAnswersRightly(ServerLoad load) throws IOException {
    ServerRun.Half half = load.askAt(1_000, 1_000, MOMENT, MOMENT);

    assertThat(half.bad()).isZero();
    assertThat(half.p50Micros()).isPositive();
    assertThat(half.p99Micros()).isGreaterThanOrEqualTo(half.p50Micros());
  }
}
