package dev.weir.control.outbox;

import dev.weir.control.database.DatabaseException;
import dev.weir.control.journal.JournalException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** What a failure says about what to do next. */
enum Failure {
  /** The records cannot be written, now or ever, at least not all of them. */
  OF_RECORDS,
  /** It took too long: fewer at a time may work. */
  OF_TIME,
  /** Anything else, which waiting may help: the database is gone, full, locked or not ours. */
  OF_DATABASE;

  /** Data exceptions, violated constraints, and limits that a value is beyond. */
  private static final Set<String> CLASSES_OF_RECORDS = Set.of("22", "23", "54");

  private static final String GIVEN_UP = "57014";

  static Failure of(Throwable thrown) {
    SQLException inDatabase = null;
    boolean isLate = false;
    for (@Nullable Throwable each = thrown; each != null; each = each.getCause()) {
      isLate |= each instanceof SocketTimeoutException || each instanceof SQLTimeoutException;
      if (inDatabase == null && each instanceof SQLException found) {
        inDatabase = found;
      }
    }
    if (inDatabase != null) {
      String state = inDatabase.getSQLState();
      if (isLate || GIVEN_UP.equals(state)) {
        return OF_TIME;
      }
      boolean isOfRecords =
          state != null
              && state.length() == 5
              && CLASSES_OF_RECORDS.contains(state.substring(0, 2));
      return isOfRecords ? OF_RECORDS : OF_DATABASE;
    }
    boolean isOurs =
        thrown instanceof JdbiException
            || thrown instanceof DatabaseException
            || thrown instanceof JournalException
            || thrown instanceof Delivery.Overtaken
            || thrown instanceof Error;
    return isOurs ? OF_DATABASE : OF_RECORDS;
  }

  /** In one line: the database's own words if it has any. */
  static String words(Throwable thrown) {
    Throwable inner = thrown;
    while (inner.getCause() != null && !(inner instanceof SQLException)) {
      inner = inner.getCause();
    }
    String message = inner.getMessage();
    return (message == null ? inner.getClass().getSimpleName() : message)
        .strip()
        .replaceAll("\\s+", " ");
  }
}
