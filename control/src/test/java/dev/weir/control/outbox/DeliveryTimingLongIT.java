package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long it takes to close a delivery whose database fails. */
@Tag("long")
class DeliveryTimingLongIT {
  @TempDir Path folder = Path.of("");

  @Test
  void closingIsShortWhileH2Fails() {
    closingIsShort(Databases.h2());
  }

  @ParameterizedTest
  @EnumSource
  void closingIsShortWhilePostgresFails(PostgresServer.Version version) {
    closingIsShort(Databases.postgres(version));
  }

  private void closingIsShort(Databases databases) {
    NumberSink broken =
        new NumberSink() {
          @Override
          public void write(Handle handle, List<byte[]> payloads) throws SQLException {
            throw new SQLException("gone", "08006");
          }
        };
    try (Database database = databases.migrated(folder).open();
        Outbox outbox = Outbox.open(folder.resolve("outbox"), JournalOptions.defaults())) {
      NumberSink.makeTable(database);
      Delivery delivery = new Delivery(outbox, database, "a-server", List.of(broken));
      outbox.put(NumberSink.KIND, NumberSink.payload(1));
      Awaitility.await().until(() -> delivery.statistics().isFailing());
      long startNanos = System.nanoTime();
      delivery.close();
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(5));
    }
  }
}
