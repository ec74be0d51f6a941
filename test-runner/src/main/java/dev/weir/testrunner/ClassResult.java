package dev.weir.testrunner;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of one test class.
 *
 * @param deferredBy the tag because of which the class was not run here, or an empty text
 * @param millis the elapsed time
 */
record ClassResult(
    String className,
    String deferredBy,
    int passed,
    int skipped,
    List<Failure> failures,
    long millis) {

  /** What is kept of a stack trace; DataOutput takes 64 KiB for a text. */
  private static final int MAX_TRACE_CHARS = 10_000;

  ClassResult {
    failures = List.copyOf(failures);
  }

  /** A failed test, or a failed set-up of a class. */
  record Failure(String test, String trace) {}

  static ClassResult deferred(String className, String tag) {
    return new ClassResult(className, tag, 0, 0, List.of(), 0);
  }

  /** The result of a class whose JVM ended or hung. */
  static ClassResult broken(String className, String reason, long millis) {
    return new ClassResult(className, "", 0, 0, List.of(new Failure(className, reason)), millis);
  }

  boolean isDeferred() {
    return !deferredBy.isEmpty();
  }

  int tests() {
    return passed + skipped + failures.size();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(className);
    out.writeUTF(deferredBy);
    out.writeInt(passed);
    out.writeInt(skipped);
    out.writeLong(millis);
    out.writeInt(failures.size());
    for (Failure failure : failures) {
      out.writeUTF(shorten(failure.test));
      out.writeUTF(shorten(failure.trace));
    }
    out.flush();
  }

  private static String shorten(String text) {
    return text.length() <= MAX_TRACE_CHARS ? text : text.substring(0, MAX_TRACE_CHARS) + " …";
  }

  static ClassResult read(DataInputStream in) throws IOException {
    String className = in.readUTF();
    String deferredBy = in.readUTF();
    int passed = in.readInt();
    int skipped = in.readInt();
    long millis = in.readLong();
    int failed = in.readInt();
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < failed; i++) {
      failures.add(new Failure(in.readUTF(), in.readUTF()));
    }
    return new ClassResult(className, deferredBy, passed, skipped, failures, millis);
  }
}
