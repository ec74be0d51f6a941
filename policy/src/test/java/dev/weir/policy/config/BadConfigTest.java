package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake has a small file, and beside it what is said about it. */
class BadConfigTest {

  private static List<Path> files() throws IOException, URISyntaxException {
    Path folder = Path.of(Objects.requireNonNull(BadConfigTest.class.getResource("bad")).toURI());
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(path -> path.toString().endsWith(".toml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void saysWhatIsWrongAndWhatIsRight(Path file) throws IOException {
    String name = Objects.requireNonNull(file.getFileName()).toString();
    Path beside = file.resolveSibling(name.replace(".toml", ".expected"));

    assertThatThrownBy(() -> ConfigReader.parse(Files.readString(file), name, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(Files.readString(beside).stripTrailing());
  }

  @Test
  void thereAreAtLeastSixty() throws IOException, URISyntaxException {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(60);
  }
}
