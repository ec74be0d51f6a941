package dev.weir.control.journal;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A journal could not be opened, synced or read; the message says which, and what to do. */
public final class JournalException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** For a folder that is not what it has to be. */
  public JournalException(String message) {
    this(message, null);
  }

  /** For something that failed. */
  public JournalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
