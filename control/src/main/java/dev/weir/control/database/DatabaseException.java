package dev.weir.control.database;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The database cannot be used. The message is one line for whoever operates the service. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String WRONG_PASSWORD = "28P01";

  /** H2's error numbers. */
  private static final int WRONG_USER_OR_PASSWORD = 28_000;

  private static final int ALREADY_OPEN = 90_020;

  private final boolean isOutcomeUnknown;

  private DatabaseException(String message, Throwable cause, boolean isOutcomeUnknown) {
    super(oneLine(message), cause);
    this.isOutcomeUnknown = isOutcomeUnknown;
  }

  DatabaseException(String message, Throwable cause) {
    this(message, cause, false);
  }

  DatabaseException(String message) {
    super(oneLine(message));
    this.isOutcomeUnknown = false;
  }

  /**
   * Whether what was asked for may have been done all the same: it failed when the database was
   * told to keep it, and the database may have done so before it was gone.
   */
  public boolean isOutcomeUnknown() {
    return isOutcomeUnknown;
  }

  /** What to say when there is no connection. */
  static DatabaseException connecting(DatabaseAddress address, SQLException failure) {
    if (WRONG_PASSWORD.equals(failure.getSQLState())
        || failure.getErrorCode() == WRONG_USER_OR_PASSWORD) {
      return new DatabaseException(
          "cannot log in to %s as \"%s\": wrong user or password; see database.user and database.password"
              .formatted(address, address.user()),
          failure);
    }
    if (failure.getErrorCode() == ALREADY_OPEN) {
      return new DatabaseException(
          "cannot open %s: another process has it; end that one, or use another data folder"
              .formatted(address),
          failure);
    }
    return new DatabaseException(
        "cannot connect to %s: %s".formatted(address, words(address, failure)), failure);
  }

  /**
   * What to say when something else cannot be done.
   *
   * @param what such as {@code read}
   */
  static DatabaseException cannot(String what, DatabaseAddress address, Exception failure) {
    return new DatabaseException(
        "cannot %s %s: %s".formatted(what, address, words(address, failure)), failure);
  }

  /** What to say when all was done but the end of the transaction. */
  static DatabaseException atTheEnd(
      String what, DatabaseAddress address, RuntimeException failure) {
    return new DatabaseException(
        "cannot %s %s: %s".formatted(what, address, words(address, failure)), failure, true);
  }

  /**
   * The database's own words, which libraries wrap into several lines of theirs. An embedded one
   * has none for what is wrong with its file.
   */
  private static String words(DatabaseAddress address, Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null && !(inner instanceof SQLException)) {
      inner = inner.getCause();
    }
    if (address.vendor() == Vendor.H2) {
      for (@Nullable Throwable each = inner; each != null; each = each.getCause()) {
        if (each instanceof IOException ofFile) {
          return "the file cannot be used: " + ofFile.getMessage();
        }
      }
    }
    return String.valueOf(inner.getMessage());
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s+", " ");
  }
}
