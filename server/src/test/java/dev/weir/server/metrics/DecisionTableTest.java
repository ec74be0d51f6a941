package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Outcome;
import dev.weir.server.metrics.DecisionCounts.Named;
import dev.weir.server.metrics.DecisionCounts.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class DecisionTableTest {
  private final DecisionTable table = new DecisionTable();

  private long count(Outcome outcome, String endpoint, String tier, String rule) {
    return table.read().rows().stream()
        .filter(
            row ->
                row.outcome() == outcome
                    && row.endpoint().equals(endpoint)
                    && row.tier().equals(tier)
                    && row.rule().equals(rule))
        .mapToLong(Row::count)
        .sum();
  }

  @Test
  void countsEachCombinationForItself() {
    table.count(Outcome.ALLOWED, "a", "b", "");
    table.count(Outcome.ALLOWED, "b", "a", "");
    table.count(Outcome.BLOCKED, "a", "b", "");
    table.count(Outcome.THROTTLED, "a", "b", "c");
    table.count(Outcome.THROTTLED, "a", "b", "d");
    table.count(Outcome.THROTTLED, "a", "b", "d");
    assertThat(table.read().rows())
        .containsExactly(
            new Row(Outcome.ALLOWED, "a", "b", "", 1),
            new Row(Outcome.THROTTLED, "a", "b", "c", 1),
            new Row(Outcome.THROTTLED, "a", "b", "d", 2),
            new Row(Outcome.BLOCKED, "a", "b", "", 1),
            new Row(Outcome.ALLOWED, "b", "a", "", 1));
  }

  @Test
  void namesThatAreEqualAndNotTheSameAreOne() {
    table.count(Outcome.ALLOWED, new String("chat"), new String("free"), "");
    table.count(Outcome.ALLOWED, new String("chat"), new String("free"), "");
    assertThat(table.read().rows())
        .containsExactly(new Row(Outcome.ALLOWED, "chat", "free", "", 2));
  }

  @Test
  void rulesBeyondThreeQuartersShareACellAndEndpointsDoNot() {
    for (int i = 0; i < 5_000; i++) {
      table.count(Outcome.THROTTLED, "chat", "free", "rule-" + i);
    }
    table.count(Outcome.ALLOWED, "upload", "", "");
    int named = DecisionTable.MOST_WITH_RULES;
    assertThat(count(Outcome.THROTTLED, "chat", "free", "rule-" + (named - 1))).isEqualTo(1);
    assertThat(count(Outcome.THROTTLED, "chat", "free", "rule-" + named)).isZero();
    assertThat(count(Outcome.THROTTLED, "chat", "free", "other")).isEqualTo(5_000 - named);
    assertThat(count(Outcome.ALLOWED, "upload", "", "")).isEqualTo(1);
    assertThat(table.read().rows()).hasSize(named + 2);
  }

  @Test
  void whatIsNewToAFullTableIsCountedAsOther() {
    for (int i = 0; i < DecisionTable.MOST_CELLS + 10; i++) {
      table.count(Outcome.ALLOWED, "endpoint-" + i, "", "");
    }
    table.count(Outcome.ALLOWED, "endpoint-7", "", "");
    table.count(Outcome.THROTTLED, "new", "free", "rule");
    table.count(Outcome.BLOCKED, "new", "free", "");
    assertThat(count(Outcome.ALLOWED, "endpoint-7", "", "")).isEqualTo(2);
    assertThat(count(Outcome.ALLOWED, "other", "other", "")).isEqualTo(10);
    assertThat(count(Outcome.THROTTLED, "other", "other", "other")).isEqualTo(1);
    assertThat(count(Outcome.BLOCKED, "other", "other", "")).isEqualTo(1);
    assertThat(table.read().rows()).hasSize(DecisionTable.MOST_CELLS + 3);
  }

  @Test
  void aPolicyMayCallItsOwnThingsOther() {
    for (int i = 0; i < DecisionTable.MOST_CELLS - 1; i++) {
      table.count(Outcome.ALLOWED, "endpoint-" + i, "", "");
    }
    table.count(Outcome.THROTTLED, "other", "other", "other");
    table.count(Outcome.THROTTLED, "new", "free", "rule");
    MetricsPage page = new MetricsPage();
    table.read().metrics().forEach(page::add);
    Scrape scrape = new Scrape(page.toString());
    assertThat(
            scrape.value(
                "weir_rate_limit_throttled_total{endpoint=\"other\",tier=\"other\",rule=\"other\"}"))
        .isEqualTo(2);
    assertThat(scrape.value("weir_metrics_left_out")).isZero();
  }

  @Test
  void aPageOfTheFullestTableHasAllOfIt() {
    for (int i = 0; i < 2 * DecisionTable.MOST_CELLS; i++) {
      table.count(Outcome.THROTTLED, "endpoint-" + i, "", "rule-" + i);
      table.count(Outcome.BLOCKED, "endpoint-" + i, "", "");
    }
    MetricsPage page = new MetricsPage();
    table.read().metrics().forEach(page::add);
    Scrape scrape = new Scrape(page.toString());
    assertThat(scrape.value("weir_metrics_left_out")).isZero();
    assertThat(scrape.size()).isBetween(5_000, 8_500);
    assertThat(scrape.sum("weir_rate_limit_requests_total")).isEqualTo(16_000);
    assertThat(scrape.sum("weir_rate_limit_throttled_total")).isEqualTo(8_000);
  }

  @Test
  void threadsThatAddCellsAtOnceCountEachForItself()
      throws InterruptedException, ExecutionException {
    int endpoints = 3_500;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CyclicBarrier start = new CyclicBarrier(4);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                for (int j = 0; j < endpoints; j++) {
                  table.count(Outcome.ALLOWED, "endpoint-" + j, "", "");
                }
                return null;
              }));
    }
    for (Future<?> task : running) {
      task.get();
    }
    threads.shutdown();
    assertThat(table.read().rows())
        .hasSize(endpoints)
        .allSatisfy(row -> assertThat(row.count()).isEqualTo(4));
  }

  @Test
  void theBusiestComeFirstAndTiesByName() {
    for (String endpoint : List.of("b", "c", "a", "c")) {
      table.count(Outcome.ALLOWED, endpoint, "", "");
    }
    table.count(Outcome.BLOCKED, "d", "", "");
    table.count(Outcome.BLOCKED, "d", "free", "");
    table.count(Outcome.THROTTLED, "d", "", "x");
    table.count(Outcome.THROTTLED, "a", "", "y");
    table.count(Outcome.THROTTLED, "a", "free", "y");
    DecisionCounts counts = table.read();
    assertThat(counts.busiestEndpoints(3)).extracting(Named::name).containsExactly("a", "d", "c");
    assertThat(counts.busiestEndpoints(20)).extracting(Named::sum).containsExactly(3L, 3L, 2L, 1L);
    assertThat(counts.busiestEndpoints(2).get(1).count(Outcome.BLOCKED)).isEqualTo(2);
    assertThat(counts.busiestEndpoints(2).get(1).count(Outcome.ALLOWED)).isZero();
    assertThat(counts.busiestRules(20)).extracting(Named::name).containsExactly("y", "x");
    assertThat(counts.busiestRules(1)).extracting(Named::sum).containsExactly(2L);
    assertThat(counts.count(Outcome.THROTTLED)).isEqualTo(3);
  }
}
