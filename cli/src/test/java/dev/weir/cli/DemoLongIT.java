package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How fast {@code weir demo} is there. */
@Tag("long")
class DemoLongIT {
  @TempDir private Path folder = Path.of("");

  @Test
  void isAliveWithinSeconds() throws Exception {
    try (DemoProcess demo = new DemoProcess(folder, DemoProcess.PATH, 0, "--seed", "7")) {
      assertThat(demo.url).as(Files.readString(demo.err)).startsWith("http://127.0.0.1:");
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  demo.sum("allowed") > 100
                      && demo.sum("throttled") > 0
                      && demo.sum("blocked") > 0);
      // In time of the processor, so that it holds beside other work on the machine.
      assertThat(demo.process.info().totalCpuDuration().orElse(Duration.ZERO))
          .isLessThan(Duration.ofSeconds(10));
      demo.stop();
    }
  }

  /** With the freezes that users see. */
  @Test
  void aRedisThatFreezesDegradesItForAWhile() throws Exception {
    String path = DemoIT.pathWithRedis(folder);
    try (DemoProcess demo = new DemoProcess(folder, path, 0, "--slow-redis", "--rate", "50")) {
      DemoIT.assertIsDegradedForAWhile(demo);
      demo.stop();
    }
  }
}
