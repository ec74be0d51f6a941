package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
  @TempDir private Path folder = Path.of("");
  private final List<Long> limits = new ArrayList<>();

  private static String policy(long limit) {
    return "[default]\nlimit = " + limit + "\n";
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("weir.toml"), text);
  }

  private ConfigFile open(Path file) {
    return new ConfigFile(
        file, Map.of(), config -> limits.add(config.policy().defaultLimit().permits()));
  }

  @Test
  void aChangedFileIsReadAgain() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      config.reloadIfChanged();
      assertThat(limits).isEmpty();
      Files.writeString(file, policy(22));
      config.reloadIfChanged();
      config.reloadIfChanged();

      assertThat(limits).containsExactly(22L);
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(22);
    }
  }

  @Test
  void withoutAFileTheBuiltInOneHoldsUntilThereIsOne() throws IOException {
    Path file = folder.resolve("weir.toml");
    try (ConfigFile config =
        ConfigFile.orBuiltIn(
            file, Map.of(), next -> limits.add(next.policy().defaultLimit().permits()))) {
      assertThat(config.source()).isEqualTo("built-in");
      assertThat(config.current().policy().endpoints()).hasSize(3);
      config.reloadIfChanged();
      assertThat(config.reloads()).isZero();
      file(policy(7));
      config.reloadIfChanged();

      assertThat(limits).containsExactly(7L);
      assertThat(config.source()).isEqualTo(file.toString());
      Files.delete(file);
      config.reloadIfChanged();
      config.reloadAndLog();
      assertThat(config.lastFailure()).hasMessageContaining("there is no such file");
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(7);
      assertThat(config.reloads()).isEqualTo(1);
      assertThat(config.failedReloads()).isEqualTo(2);
    }
  }

  @Test
  void aFileThatIsRenamedOverItIsSeen() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      Path next = Files.writeString(folder.resolve("next.toml"), policy(2));
      Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      config.reloadIfChanged();

      assertThat(limits).containsExactly(2L);
    }
  }

  @Test
  void theSwappedLinksOfAConfigMapAreSeen() throws IOException {
    // As Kubernetes does: the file is a link into ..data, which is a link that is replaced.
    Path first = Files.createDirectory(folder.resolve("..1"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    Files.writeString(first.resolve("weir.toml"), policy(1));
    Files.writeString(second.resolve("weir.toml"), policy(2));
    Path data = Files.createSymbolicLink(folder.resolve("..data"), first);
    Path file = Files.createSymbolicLink(folder.resolve("weir.toml"), data.resolve("weir.toml"));
    try (ConfigFile config = open(file)) {
      Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second);
      Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      config.reloadIfChanged();

      assertThat(limits).containsExactly(2L);
    }
  }

  @Test
  void aBadFileChangesNothingAndIsRemembered() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      Files.writeString(file, "[default]\nlimit = 0\n[servr]\n");
      config.reloadIfChanged();
      assertThat(limits).isEmpty();
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(1);
      assertThat(config.lastFailure())
          .isNotNull()
          .hasMessageContaining("default.limit")
          .hasMessageContaining("servr");
      assertThatThrownBy(config::reload).isInstanceOf(ConfigException.class);
      Files.writeString(file, policy(3));
      config.reloadIfChanged();

      assertThat(limits).containsExactly(3L);
      assertThat(config.lastFailure()).isNull();
    }
  }

  @Test
  void aConfigurationThatIsTurnedDownChangesNothingAndIsRemembered() throws IOException {
    Path file = file(policy(1));
    IllegalStateException no = new IllegalStateException("no room");
    Consumer<Config> choosy =
        next -> {
          if (next.policy().defaultLimit().permits() == 2) {
            throw no;
          }
        };
    try (ConfigFile config = new ConfigFile(file, Map.of(), choosy)) {
      Files.writeString(file, policy(2) + "\n");
      config.reloadIfChanged();
      assertThat(config.lastFailure()).isSameAs(no);
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(1);
      assertThatThrownBy(config::reload).isSameAs(no);
      Files.writeString(file, policy(3));
      config.reloadIfChanged();

      assertThat(config.lastFailure()).isNull();
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(3);
    }
  }

  @Test
  void aFileThatIsGoneChangesNothing() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      Files.delete(file);
      config.reloadIfChanged();

      assertThat(config.lastFailure()).isNotNull().hasMessageContaining("there is no such file");
      assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(1);
    }
  }

  @Test
  void whatNeedsARestartIsSaid() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      assertThat(config.reload()).isEmpty();
      Files.writeString(
          file,
          """
          [server]
          listen = "127.0.0.1:1"
          [counters]
          backend = "redis"
          [redis]
          key_prefix = "x"
          [database]
          user = "x"
          [envoy]
          config = "rules"
          shadow_mode = true
          """);

      assertThat(config.reload())
          .containsExactly("server.listen", "counters", "redis", "database", "envoy.config");
    }
  }

  @Test
  void isWatchedByAThreadOfItsOwn() throws IOException {
    Path file = file(policy(1));
    try (ConfigFile config = open(file)) {
      config.watch(Duration.ofMillis(10));
      Files.writeString(file, policy(22));

      Awaitility.await()
          .untilAsserted(
              () -> assertThat(config.current().policy().defaultLimit().permits()).isEqualTo(22));
    }
  }

  @Test
  void countersKeepTheirCounts() throws IOException {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
    Path file = file(policy(5));
    Policy first = Policy.compile(ConfigReader.read(file, Map.of()).policy());
    Gate gate = new Gate(first, new MemoryCounterStore(time, 100));
    Request request = Request.of("GET", "/", Client.at(Address.parse("10.0.0.1"), 64));
    try (ConfigFile config =
        new ConfigFile(file, Map.of(), next -> gate.use(Policy.compile(next.policy())))) {
      for (int i = 0; i < 4; i++) {
        gate.check(request);
      }
      Files.writeString(file, policy(7));
      config.reloadIfChanged();

      assertThat(gate.policy().version()).isNotEqualTo(first.version());
      assertThat(gate.check(request).decisive())
          .satisfies(status -> assertThat(status.remaining()).isEqualTo(2));
    }
  }
}
