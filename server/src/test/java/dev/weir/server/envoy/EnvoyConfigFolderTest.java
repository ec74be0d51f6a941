package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.config.ConfigException;
import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyConfigFolderTest {
  @TempDir private Path folder = Path.of("");
  private final EnvoyStats stats = new EnvoyStats();
  private final List<Set<String>> used = new ArrayList<>();
  private final AtomicBoolean mergesDomains = new AtomicBoolean();

  private EnvoyConfigFolder open() {
    return new EnvoyConfigFolder(
        folder, mergesDomains::get, stats, config -> used.add(new TreeSet<>(config.domains())));
  }

  private static Set<String> domains(EnvoyConfigFolder config) {
    EnvoyConfig current = config.current();
    return current == null ? Set.of("none yet") : current.domains();
  }

  private Path write(String name, String domain) throws IOException {
    return Files.writeString(folder.resolve(name), "domain: " + domain + "\n");
  }

  @Test
  void filesThatChangeComeAndGoAreSeen() throws IOException {
    Path first = write("a.yaml", "one");
    try (EnvoyConfigFolder config = open()) {
      config.reloadIfChanged();
      assertThat(used).containsExactly(Set.of("one"));
      write("b.yml", "two");
      config.reloadIfChanged();
      write("a.yaml", "other");
      config.reloadIfChanged();
      Files.delete(first);
      config.reloadIfChanged();
      config.reloadIfChanged();

      assertThat(used)
          .containsExactly(
              Set.of("one"), Set.of("one", "two"), Set.of("other", "two"), Set.of("two"));
      assertThat(domains(config)).containsExactly("two");
      assertThat(stats.snapshot().configLoadSuccess()).isEqualTo(4);
      assertThat(stats.snapshot().configLoadError()).isZero();
    }
  }

  @Test
  void otherFilesDoNotMatter() throws IOException {
    write("a.yaml", "one");
    try (EnvoyConfigFolder config = open()) {
      write("notes.txt", "two");
      write(".a.yaml.swp", "two");
      config.reloadIfChanged();

      assertThat(used).hasSize(1);
    }
  }

  @Test
  void theSwappedLinksOfAConfigMapAreSeen() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..1"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    Files.writeString(first.resolve("a.yaml"), "domain: one\n");
    Files.writeString(second.resolve("a.yaml"), "domain: two\n");
    Path data = Files.createSymbolicLink(folder.resolve("..data"), first);
    Files.createSymbolicLink(folder.resolve("a.yaml"), data.resolve("a.yaml"));
    try (EnvoyConfigFolder config = open()) {
      Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second);
      Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      config.reloadIfChanged();

      assertThat(domains(config)).containsExactly("two");
    }
  }

  @Test
  void aWrongChangeChangesNothingAndIsRemembered() throws IOException {
    write("a.yaml", "one");
    try (EnvoyConfigFolder config = open()) {
      write("b.yaml", "''");
      Files.writeString(folder.resolve("c.yaml"), "domian: three\n");
      config.reloadIfChanged();
      assertThat(used).hasSize(1);
      assertThat(domains(config)).containsExactly("one");
      assertThat(config.lastFailure())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("b.yaml:1:9: config file cannot have empty domain")
          .hasMessageContaining("c.yaml:1:1: config error, unknown key 'domian'");
      assertThatThrownBy(config::reload).isInstanceOf(ConfigException.class);
      assertThat(stats.snapshot().configLoadError()).isEqualTo(2);
      Files.delete(folder.resolve("b.yaml"));
      write("c.yaml", "three");
      config.reloadIfChanged();

      assertThat(config.lastFailure()).isNull();
      assertThat(domains(config)).containsExactlyInAnyOrder("one", "three");
    }
  }

  @Test
  void filesThatAreWrongAtTheStartAreWaitedFor() throws IOException {
    write("a.yaml", "one");
    Files.writeString(folder.resolve("b.yaml"), "domain: two\ndescriptors:\n  - kye: user\n");
    try (EnvoyConfigFolder config = open()) {
      assertThat(config.current()).isNull();
      assertThat(config.lastFailure())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("b.yaml:3:5: config error, unknown key 'kye'");
      config.reloadIfChanged();
      assertThat(stats.snapshot().configLoadError()).isEqualTo(1);
      assertThat(used).isEmpty();
      write("b.yaml", "two");
      config.reloadIfChanged();

      assertThat(domains(config)).containsExactlyInAnyOrder("one", "two");
      assertThat(config.lastFailure()).isNull();
      assertThat(used).containsExactly(Set.of("one", "two"));
    }
  }

  @Test
  void aMissingFolderIsToldAtTheStart() {
    assertThatThrownBy(
            () ->
                new EnvoyConfigFolder(
                    folder.resolve("missing"), mergesDomains::get, stats, config -> {}))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("missing: there is no such folder");
  }

  @Test
  void aFolderThatIsGoneChangesNothing() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("rules"));
    Path file = Files.writeString(inner.resolve("a.yaml"), "domain: one\n");
    try (EnvoyConfigFolder config =
        new EnvoyConfigFolder(inner, mergesDomains::get, stats, next -> {})) {
      Files.delete(file);
      Files.delete(inner);
      config.reloadIfChanged();
      assertThat(config.lastFailure()).hasMessageEndingWith("there is no such folder");
      assertThat(domains(config)).containsExactly("one");
      Files.createDirectory(inner);
      config.reloadIfChanged();

      assertThat(config.lastFailure()).isNull();
      assertThat(domains(config)).isEmpty();
    }
  }

  @Test
  void aConfigurationThatIsTurnedDownChangesNothing() throws IOException {
    write("a.yaml", "one");
    IllegalStateException no = new IllegalStateException("no room");
    try (EnvoyConfigFolder config =
        new EnvoyConfigFolder(
            folder,
            mergesDomains::get,
            stats,
            next -> {
              if (next.domains().contains("two")) {
                throw no;
              }
            })) {
      write("b.yaml", "two");
      config.reloadIfChanged();

      assertThat(config.lastFailure()).isSameAs(no);
      assertThat(domains(config)).containsExactly("one");
    }
  }

  @Test
  void whetherDomainsAreMergedIsAskedEachTime() throws IOException {
    write("a.yaml", "one");
    write("b.yaml", "one");
    try (EnvoyConfigFolder config = open()) {
      assertThat(config.lastFailure())
          .hasMessageContaining("duplicate domain 'one' in config file");
      mergesDomains.set(true);
      config.reload();
      assertThat(domains(config)).containsExactly("one");
      mergesDomains.set(false);

      assertThatThrownBy(config::reload).isInstanceOf(ConfigException.class);
    }
  }

  @Test
  @DisplayName("T66: files that change while they are read are not mixed with older ones")
  void whatNeverStoodSideBySideIsNeverReadTogether() throws Exception {
    replace("a.yaml", "a-0");
    replace("b.yaml", "b-0");
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try (EnvoyConfigFolder config = open()) {
      for (int round = 1; round <= 5; round++) {
        Path pipe = pipe();
        Files.move(pipe, folder.resolve("a.yaml"), StandardCopyOption.REPLACE_EXISTING);
        String before = "domain: a-" + (round - 1) + "\n";
        String next = String.valueOf(round);
        Future<?> end =
            writer.submit(
                () -> {
                  // Opens when the first file is read: the second one is not read yet.
                  try (OutputStream out = Files.newOutputStream(folder.resolve("a.yaml"))) {
                    // First a, then b: b is never ahead.
                    replace("a.yaml", "a-" + next);
                    replace("b.yaml", "b-" + next);
                    out.write(before.getBytes(StandardCharsets.UTF_8));
                  }
                  return null;
                });
        config.reload();
        end.get(60, TimeUnit.SECONDS);

        assertThat(domains(config)).containsExactlyInAnyOrder("a-" + next, "b-" + next);
      }
      assertThat(used).hasSize(6);
    } finally {
      writer.shutdownNow();
    }
  }

  @Test
  void aFolderThatGoesOnChangingIsTakenAsItIsInTheEnd() throws IOException {
    AtomicInteger reads = new AtomicInteger();
    write("a.yaml", "one");
    try (EnvoyConfigFolder config =
        new EnvoyConfigFolder(
            folder,
            () -> {
              replaceUnchecked("a.yaml", "domain" + reads.incrementAndGet());
              return false;
            },
            stats,
            next -> {})) {
      assertThat(reads).hasValue(10);
      assertThat(domains(config)).containsExactly("domain10");
    }
  }

  private void replaceUnchecked(String name, String domain) {
    try {
      replace(name, domain);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A file whose reader waits until somebody writes. */
  private Path pipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = Program.orSkip("mkfifo").command(pipe.toString()).start();
    assertThat(made.waitFor()).isZero();
    return pipe;
  }

  private void replace(String name, String domain) throws IOException {
    Path next = Files.writeString(folder.resolve(name + ".next"), "domain: " + domain + "\n");
    Files.move(next, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void isWatchedByAThreadOfItsOwn() throws IOException {
    write("a.yaml", "one");
    try (EnvoyConfigFolder config = open()) {
      config.watch(Duration.ofMillis(10));
      write("b.yaml", "two");

      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(domains(config)).containsExactlyInAnyOrder("one", "two"));
    }
  }
}
