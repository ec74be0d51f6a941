package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Files of an archive, written by what writes them in life. */
public final class ArchivedDecisions {
  private ArchivedDecisions() {}

  /** What differs between the decisions of a test. */
  public record Decision(
      Instant at,
      @Nullable String user,
      @Nullable String ip,
      @Nullable String tier,
      @Nullable String path,
      @Nullable String method,
      @Nullable String rule,
      String decision,
      String reason,
      long cost) {}

  /** Writes the file of a month where an archive has it. */
  public static void write(Path root, String month, Decision... decisions) throws IOException {
    String name = new ArchiveFile(MonthlyTable.AUDIT_LOGS, YearMonth.parse(month), 1).name();
    Path file = root.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    List<AuditRow> rows = new ArrayList<>();
    for (Decision each : decisions) {
      rows.add(row(rows.size() + 1, each));
    }
    RowFormat<AuditRow> format =
        new RowFormat<>(AuditRow.class, AuditRow.COLUMNS, AuditRow.ORDER, AuditRow::read);
    try (OutputStream out = Files.newOutputStream(file)) {
      new ParquetRows<>(format, new Stop()).write(rows.iterator(), out);
    }
  }

  private static AuditRow row(long id, Decision each) {
    return new AuditRow(
        id,
        each.at,
        null,
        each.user,
        null,
        each.ip,
        each.tier,
        "*",
        each.path,
        each.method,
        each.rule,
        each.decision,
        each.reason,
        each.cost,
        1L,
        10L,
        each.at,
        null,
        null,
        false,
        "3af2a918fb7c",
        "local",
        "node-1",
        12L);
  }
}
