package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PublicApiTest {

  @Test
  void nothingElseIsPublic() throws IOException, URISyntaxException {
    assertThat(publicTypes())
        .containsExactlyInAnyOrder(
            Algorithm.class,
            Counter.class,
            CounterStore.class,
            Decision.class,
            DecisionListener.class,
            DirectCounterStore.class,
            FixedWindow.class,
            Limit.class,
            LimitStatus.class,
            ManualTime.class,
            MemoryCounterStore.class,
            MemoryStatistics.class,
            Operation.class,
            Penalty.class,
            PenaltyCounter.class,
            Period.class,
            RateLimiter.class,
            Reason.class,
            SlidingLog.class,
            SlidingWindow.class,
            TimeSource.class,
            TokenBucket.class)
        .hasSizeLessThanOrEqualTo(26);
  }

  private static List<Class<?>> publicTypes() throws IOException, URISyntaxException {
    Path root =
        Path.of(RateLimiter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .filter(name -> !name.endsWith("-info.class"))
          .<Class<?>>map(PublicApiTest::load)
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .toList();
    }
  }

  private static Class<?> load(String file) {
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      return Class.forName(name, false, RateLimiter.class.getClassLoader());
    } catch (ClassNotFoundException missing) {
      throw new AssertionError(missing);
    }
  }
}
