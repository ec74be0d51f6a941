package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured of the control plane works, with less of everything; with speeds in it. */
@Tag("long")
class ControlLoadLongIT {

  @Test
  void aMonthGoesFromTheJournalToTheArchive() throws SQLException, IOException {
    int rows = 50_000;
    ControlRun.Month month = AuditMonth.run(rows);

    System.out.println(month);
    assertThat(month.rows()).isEqualTo(rows);
    assertThat(month.duckDbRows()).isEqualTo(rows);
    assertThat(month.rowsLeft()).isZero();
    assertThat(month.ingestSeconds()).isPositive();
    assertThat(month.sizes().table()).isGreaterThan(100L * rows);
    assertThat(month.sizes().wal()).isGreaterThan(month.sizes().table());
    assertThat(month.sizes().parquet()).isLessThan(month.sizes().table() / 4);
  }

  @Test
  void aFloodOfUnknownKeysIsCountedByTheServer(@TempDir Path folder) {
    try (PostgresServer server = ManyClients.server()) {
      ManyClients.fill(server);
      try (Database database =
          Database.open(
              new DatabaseSettings(server.jdbcUrl(), server.user(), server.password()), folder)) {
        UnknownKeys.Result result = UnknownKeys.run(database, 2);

        System.out.println(result);
        assertThat(result.flood().lookUpsPerSecond()).isBetween(1.0, result.flood().bound() * 1.6);
        assertThat(result.flood().askedPerSecond()).isGreaterThan(1_000);
        assertThat(result.memory().bytesPerKey()).isBetween(100.0, 1_000.0);
        assertThat(result.memory().bytesPerUser()).isBetween(100.0, 1_000.0);
      }
    }
  }
}
