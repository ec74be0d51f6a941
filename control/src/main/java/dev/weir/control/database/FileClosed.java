package dev.weir.control.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that an embedded database has closed its file by itself, as it does when it cannot write
 * to it. Then it stays closed, whatever becomes of the disk, until all connections to it have
 * ended.
 */
final class FileClosed implements SQLExceptionOverride {
  /** H2's error number. */
  private static final int DATABASE_IS_CLOSED = 90_098;

  private volatile Consumer<SQLException> listener = failure -> {};

  /** Why; null: nobody has said. */
  private volatile @Nullable SQLException reason;

  /** Does that whenever it is noticed, on the thread of whoever has used the database then. */
  void onNotice(Consumer<SQLException> action) {
    listener = action;
  }

  @java.lang.Override
  public Override adjudicate(SQLException failure) {
    if (isOfFile(failure)) {
      reason = failure;
    }
    if (failure.getErrorCode() == DATABASE_IS_CLOSED || isOfFile(failure)) {
      // The connection must not be used again: a rollback on it may never end.
      listener.accept(Objects.requireNonNullElse(reason, failure));
      return Override.MUST_EVICT;
    }
    return Override.CONTINUE_EVICT;
  }

  private static boolean isOfFile(SQLException failure) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
