package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Policies of many rules replace each other while threads ask as fast as they can. Every limit says
 * which policy it is of, so that a decision made of two would show.
 */
class ReloadUnderLoadTest {
  private static final int RULES = TestLevel.amount("weir.policy.reload.rules", 2_000, 10_000);
  private static final int RELOADS = 3;
  private static final int THREADS = 2;

  @TempDir private Path folder = Path.of("");

  /** Which limits the policies of a version have. */
  private final Map<String, Long> permitsByVersion = new ConcurrentHashMap<>();

  private static String toml(long permits) {
    StringBuilder text = new StringBuilder("[default]\nlimit = " + permits + "\nwindow = \"1h\"\n");
    for (int i = 0; i < RULES; i++) {
      text.append(
          """
          [[rule]]
          name = "r%d"
          match = { path = "/p%d/**" }
          limits = ["%d/h"]
          """
              .formatted(i, i % 1_000, permits));
    }
    return text.toString();
  }

  private Policy compiled(Config config) {
    Policy policy = Policy.compile(config.policy());
    permitsByVersion.put(policy.version(), config.policy().defaultLimit().permits());
    return policy;
  }

  /** Replaces the file as a whole, as editors and deployments do. */
  private Path write(long permits) throws IOException {
    Path next = Files.writeString(folder.resolve("next.toml"), toml(permits));
    return Files.move(next, folder.resolve("weir.toml"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** How many decisions there were, and how many of them failed or were not made by one policy. */
  private record Count(long right, long wrong) {}

  private Count ask(Gate gate, int thread, AtomicBoolean isOver) {
    Client client = Client.at(Address.parse("192.0.2." + thread), 64);
    long right = 0;
    long wrong = 0;
    while (!isOver.get()) {
      long number = right + wrong;
      Client user = client.withUser("u" + number % 5_000);
      Verdict verdict = gate.check(Request.of("GET", "/p" + number % 1_000 + "/x", user));
      if (isOfOnePolicy(verdict)) {
        right++;
      } else {
        wrong++;
      }
    }
    return new Count(right, wrong);
  }

  private boolean isOfOnePolicy(Verdict verdict) {
    Long permits = permitsByVersion.get(verdict.policy());
    return verdict.isAllowed()
        && !verdict.isDegraded()
        && verdict.standings().size() == RULES / 1_000
        && verdict.standings().stream()
            .allMatch(each -> Objects.equals(each.status().limit().permits(), permits));
  }

  @Test
  void everyDecisionIsMadeByOneVersion()
      throws IOException, InterruptedException, ExecutionException {
    Path file = write(1_000_000);
    Gate gate = new Gate(compiled(ConfigReader.read(file, Map.of())), new MemoryCounterStore());
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (ConfigFile config = new ConfigFile(file, Map.of(), next -> gate.use(compiled(next)))) {
      List<Future<Count>> counts = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        counts.add(threads.submit(() -> ask(gate, thread, isOver)));
      }
      for (int i = 1; i <= RELOADS; i++) {
        write(1_000_000 + i);
        config.reloadIfChanged();
      }
      isOver.set(true);
      for (Future<Count> count : counts) {
        assertThat(count.get().wrong).isZero();
        assertThat(count.get().right).isPositive();
      }
      assertThat(permitsByVersion).hasSize(RELOADS + 1);
    } finally {
      threads.shutdownNow();
    }
  }
}
