package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.journal.JournalException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.transaction.TransactionException;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static Failure of(String state) {
    return Failure.of(new TransactionException("wrapped", new SQLException("said", state)));
  }

  @Test
  void whatRecordsSayIsTheirFault() {
    // A text that is too long, a violated check, an index entry that is too large.
    assertThat(of("22001")).isEqualTo(Failure.OF_RECORDS);
    assertThat(of("23514")).isEqualTo(Failure.OF_RECORDS);
    assertThat(of("54000")).isEqualTo(Failure.OF_RECORDS);
    assertThat(Failure.of(new IllegalArgumentException("no record"))).isEqualTo(Failure.OF_RECORDS);
  }

  @Test
  void theRestIsTheDatabases() {
    // Gone, full, shutting down, locked, read only, without the table.
    for (String state : new String[] {"08006", "53100", "57P01", "HYT00", "25006", "42P01", "9"}) {
      assertThat(of(state)).as(state).isEqualTo(Failure.OF_DATABASE);
    }
    assertThat(Failure.of(new ConnectionException(new SQLTransientConnectionException("none"))))
        .isEqualTo(Failure.OF_DATABASE);
    assertThat(Failure.of(new JournalException("disk"))).isEqualTo(Failure.OF_DATABASE);
    assertThat(Failure.of(new OutOfMemoryError())).isEqualTo(Failure.OF_DATABASE);
  }

  @Test
  void whatTookTooLongIsTold() {
    assertThat(of("57014")).isEqualTo(Failure.OF_TIME);
    assertThat(Failure.of(new SQLException("io", "08006", new SocketTimeoutException("read"))))
        .isEqualTo(Failure.OF_TIME);
  }

  @Test
  void theWordsAreThoseOfTheDatabaseInOneLine() {
    assertThat(
            Failure.words(new TransactionException("wrapped", new SQLException("a\n  b", "08006"))))
        .isEqualTo("a b");
    assertThat(Failure.words(new StackOverflowError())).isEqualTo("StackOverflowError");
  }
}
