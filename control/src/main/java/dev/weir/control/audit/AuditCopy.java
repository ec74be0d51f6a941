package dev.weir.control.audit;

import dev.weir.policy.Address;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Audit records in the binary form of PostgreSQL's COPY, which needs no escaping, and which the
 * server need not parse.
 */
final class AuditCopy {
  /** Reads rows from the client, each with the columns in their order. */
  static final String COPY =
      "copy rate_limit_audit_logs (%s) from stdin (format binary)".formatted(AuditColumn.names());

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0
  };
  private static final long MICROS_TO_2000 =
      ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2000-01-01T00:00:00Z"));
  private static final byte INET_4 = 2;
  private static final byte INET_6 = 3;

  /** What is sent at once; the server works on it while the next is made. */
  private static final int CHUNK = 64 << 10;

  /** Longer than any row. */
  private static final int ROW = 32 << 10;

  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK + ROW);

  private AuditCopy() {}

  /** Writes rows, in the transaction that the connection has. */
  static void write(Connection connection, List<AuditRecord> records) throws SQLException {
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
    try {
      new AuditCopy().send(copy, records);
      copy.endCopy();
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private void send(CopyIn copy, List<AuditRecord> records) throws SQLException {
    buffer.put(SIGNATURE).putInt(0).putInt(0);
    for (AuditRecord record : records) {
      put(record);
      if (buffer.position() >= CHUNK) {
        send(copy);
      }
    }
    buffer.putShort((short) -1);
    send(copy);
  }

  private void send(CopyIn copy) throws SQLException {
    copy.writeToCopy(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  private void put(AuditRecord record) {
    buffer.putShort((short) AuditColumn.ALL.size());
    for (AuditColumn each : AuditColumn.ALL) {
      if (record.has(each)) {
        put(record, each);
      } else {
        buffer.putInt(-1);
      }
    }
  }

  private void put(AuditRecord record, AuditColumn column) {
    switch (column.type()) {
      case TEXT -> {
        byte[] text = String.valueOf(record.text(column)).getBytes(StandardCharsets.UTF_8);
        buffer.putInt(text.length).put(text);
      }
      case ADDRESS -> put(Address.parse(String.valueOf(record.text(column))));
      case LONG -> buffer.putInt(Long.BYTES).putLong(record.number(column));
      case INTEGER -> buffer.putInt(Integer.BYTES).putInt((int) record.number(column));
      case TIME -> buffer.putInt(Long.BYTES).putLong(record.number(column) - MICROS_TO_2000);
      case FLAG -> buffer.putInt(1).put((byte) (record.flag(column) ? 1 : 0));
    }
  }

  /** Family, length of the prefix, whether it is a network, how many bytes, and those. */
  private void put(Address address) {
    int bytes = address.bits() / Byte.SIZE;
    buffer
        .putInt(4 + bytes)
        .put(address.isV4() ? INET_4 : INET_6)
        .put((byte) address.bits())
        .put((byte) 0)
        .put((byte) bytes);
    if (address.isV4()) {
      buffer.putInt((int) address.low());
    } else {
      buffer.putLong(address.high()).putLong(address.low());
    }
  }
}
