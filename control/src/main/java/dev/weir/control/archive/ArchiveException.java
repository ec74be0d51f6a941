package dev.weir.control.archive;

/** A month cannot be archived now, and stays. The message is one line for whoever operates it. */
public final class ArchiveException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ArchiveException(String message) {
    super(oneLine(message));
  }

  ArchiveException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  /** What a failure says, or what it is when it says nothing. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message;
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s+", " ");
  }
}
