package dev.weir.control.audit;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Vendor;
import dev.weir.control.outbox.MonthRoom;
import dev.weir.control.outbox.Sink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Writes audit records as rows of {@code rate_limit_audit_logs}. */
public final class AuditSink implements Sink {
  /** The kind of audit records in the outbox. */
  public static final byte KIND = 1;

  /** Parameters: the columns in their order. */
  private static final String INSERT =
      "insert into rate_limit_audit_logs (%s) values (%s)"
          .formatted(
              AuditColumn.names(),
              String.join(", ", Collections.nCopies(AuditColumn.ALL.size(), "?")));

  /** Every so many rows H2 is given what has come together. */
  private static final int BATCH = 1_000;

  private final Vendor vendor;
  private final MonthRoom room;

  /** Into that database. */
  public AuditSink(Database database) {
    this.vendor = database.vendor();
    this.room = new MonthRoom(database, MonthlyTable.AUDIT_LOGS);
  }

  @Override
  public byte kind() {
    return KIND;
  }

  @Override
  public void write(Handle handle, List<byte[]> payloads) throws SQLException {
    List<AuditRecord> records = new ArrayList<>(payloads.size());
    for (byte[] payload : payloads) {
      records.add(AuditCodec.decode(payload));
    }
    boolean isWritten = false;
    try {
      records.forEach(record -> room.require(record.timestampMicros()));
      Connection connection = handle.getConnection();
      switch (vendor) {
        case POSTGRESQL -> AuditCopy.write(connection, records);
        case H2 -> insert(connection, records);
      }
      isWritten = true;
    } finally {
      if (!isWritten) {
        room.forget();
      }
    }
  }

  private static void insert(Connection connection, List<AuditRecord> records) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      int waiting = 0;
      for (AuditRecord record : records) {
        for (AuditColumn each : AuditColumn.ALL) {
          bind(statement, record, each);
        }
        statement.addBatch();
        if (++waiting == BATCH) {
          statement.executeBatch();
          waiting = 0;
        }
      }
      if (waiting > 0) {
        statement.executeBatch();
      }
    }
  }

  private static void bind(PreparedStatement statement, AuditRecord record, AuditColumn column)
      throws SQLException {
    int position = column.index() + 1;
    if (!record.has(column)) {
      statement.setNull(position, Types.NULL);
      return;
    }
    switch (column.type()) {
      case TEXT, ADDRESS -> statement.setString(position, record.text(column));
      case FLAG -> statement.setBoolean(position, record.flag(column));
      case LONG, INTEGER -> statement.setLong(position, record.number(column));
      case TIME -> statement.setObject(position, time(record.number(column)));
    }
  }

  private static OffsetDateTime time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }
}
