package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.backtest.BacktestReport.ClientRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientTableTest {

  @Test
  void countsExactlyWhileThereIsRoom() {
    ClientTable table = new ClientTable(10);
    table.add("a", true, false);
    table.add("a", true, true);
    table.add("a", false, true);
    table.add("a", false, false);
    table.add("b", true, false);
    table.add("c", false, false);

    assertThat(table.mostRefused(5))
        .containsExactly(new ClientRow("a", 4, 2, 1, 1, 0), new ClientRow("b", 1, 1, 1, 0, 0));
    assertThat(table.mostHurt(1)).containsExactly(new ClientRow("a", 4, 2, 1, 1, 0));
  }

  @Test
  void whatItSaysHoldsHoweverManyClientsThereAre() {
    Random random = new Random(11);
    ClientTable table = new ClientTable(100);
    Map<String, Long> refused = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      // A few clients ask often, many once.
      int number = random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(20);
      String client = "ip:" + number;
      boolean isRefused = random.nextInt(3) == 0;
      table.add(client, isRefused, isRefused);
      refused.merge(client, isRefused ? 1L : 0L, Long::sum);
    }

    List<ClientRow> top = table.mostRefused(20);
    assertThat(top).hasSize(20);
    for (ClientRow row : top) {
      long exact = refused.getOrDefault(row.client(), 0L);
      assertThat(exact).isBetween(row.refused(), row.refused() + row.mayMiss());
    }
    assertThat(top)
        .extracting(ClientRow::client)
        .allMatch(client -> Integer.parseInt(client.substring(3)) < 20);
  }

  @Test
  void thoseThatAreNeverRefusedMakeWayFirst() {
    ClientTable table = new ClientTable(100);
    table.add("refused", true, false);
    for (int i = 0; i < 10_000; i++) {
      table.add("ip:" + i, false, false);
    }

    assertThat(table.mostHurt(5)).containsExactly(new ClientRow("refused", 1, 1, 1, 0, 0));
  }
}
