package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.ConfigException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake has a folder with small files, and in it what is said about them. */
class BadEnvoyConfigTest {

  private static List<Path> folders() throws IOException, URISyntaxException {
    Path all =
        Path.of(Objects.requireNonNull(BadEnvoyConfigTest.class.getResource("/envoy/bad")).toURI());
    try (Stream<Path> folders = Files.list(all)) {
      return folders.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("folders")
  void saysWhatIsWrongAndWhere(Path folder) throws IOException {
    EnvoyStats stats = new EnvoyStats();

    ConfigException wrong =
        Assertions.assertThrows(
            ConfigException.class, () -> EnvoyConfigReader.read(folder, false, stats));

    assertThat(Objects.requireNonNull(wrong.getMessage()).replace(folder + File.separator, ""))
        .isEqualTo(Files.readString(folder.resolve("expected")).stripTrailing());
    assertThat(stats.snapshot().rules()).as("statistics of rules that never held").isEmpty();
  }

  @Test
  void thereAreAtLeastFifty() throws IOException, URISyntaxException {
    assertThat(folders()).hasSizeGreaterThanOrEqualTo(50);
  }
}
