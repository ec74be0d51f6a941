package dev.weir.control.change;

import dev.weir.TimeSource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code admin_audit}: a chain of rows, each with a hash of itself and of the one before,
 * so that a row which is changed or taken away later is found out.
 */
public final class AdminAudit {
  private static final String FIRST = "0".repeat(64);
  private static final HexFormat HEX = HexFormat.of();

  private AdminAudit() {}

  /**
   * A row.
   *
   * @param id where it is in the order
   * @param at when
   * @param actor who
   * @param act what
   * @param subject to what
   * @param before what that was, in JSON; null: nothing
   * @param after what it is; null: it is gone
   * @param version of the whole configuration that came of it
   */
  public record Entry(
      long id,
      Instant at,
      String actor,
      String act,
      String subject,
      @Nullable String before,
      @Nullable String after,
      long version) {}

  /** The acts of one change, which holds the lock of all changes until they are written. */
  static final class Recorded implements Acts {
    private final String actor;
    private final long version;
    private final TimeSource time;
    private final List<Entry> entries = new ArrayList<>();

    Recorded(String actor, long version, TimeSource time) {
      this.actor = actor;
      this.version = version;
      this.time = time;
    }

    @Override
    public long version() {
      return version;
    }

    @Override
    public void record(
        String act, String subject, @Nullable String before, @Nullable String after) {
      Instant at = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
      entries.add(new Entry(0, at, actor, act, subject, before, after, version));
    }

    /** Adds a row for each. */
    void write(Handle handle) {
      if (!entries.isEmpty()) {
        append(handle, entries);
      }
    }
  }

  private static String lastHash(Handle handle) {
    return handle
        .createQuery("select hash from admin_audit order by audit_id desc fetch first row only")
        .mapTo(String.class)
        .findOne()
        .orElse(FIRST);
  }

  private static void append(Handle handle, List<Entry> entries) {
    String previous = lastHash(handle);
    PreparedBatch rows =
        handle.prepareBatch(
            "insert into admin_audit (occurred_at, actor, act, subject, before_state, after_state,"
                + " version, previous_hash, hash) values (:at, :actor, :act, :subject, :before,"
                + " :after, :version, :previous, :hash)");
    for (Entry entry : entries) {
      String hash = hash(entry, previous);
      rows.bind("at", entry.at)
          .bind("actor", entry.actor)
          .bind("act", entry.act)
          .bind("subject", entry.subject)
          .bind("before", entry.before)
          .bind("after", entry.after)
          .bind("version", entry.version)
          .bind("previous", previous)
          .bind("hash", hash)
          .add();
      previous = hash;
    }
    rows.execute();
  }

  /**
   * Looks through the whole chain.
   *
   * @return the id of the first row that does not fit; null if all do
   */
  public static @Nullable Long firstBroken(Handle handle) {
    record Link(Entry entry, String previous, String hash) {}
    ResultIterable<Link> rows =
        handle
            .createQuery("select * from admin_audit order by audit_id")
            .setFetchSize(1_000)
            .map(
                (row, context) ->
                    new Link(
                        new Entry(
                            row.getLong("audit_id"),
                            row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
                            row.getString("actor"),
                            row.getString("act"),
                            row.getString("subject"),
                            row.getString("before_state"),
                            row.getString("after_state"),
                            row.getLong("version")),
                        row.getString("previous_hash"),
                        row.getString("hash")));
    String expected = FIRST;
    try (var stream = rows.stream()) {
      for (Iterator<Link> all = stream.iterator(); all.hasNext(); ) {
        Link link = all.next();
        boolean fits =
            link.previous.equals(expected) && link.hash.equals(hash(link.entry, link.previous));
        if (!fits) {
          return link.entry.id;
        }
        expected = link.hash;
      }
    }
    return null;
  }

  /** Over all parts, each with its length before it, so that no two rows have the same text. */
  private static String hash(Entry entry, String previous) {
    MessageDigest digest = sha256();
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, entry.at);
    for (@Nullable String part :
        new @Nullable String[] {
          previous,
          Long.toString(micros),
          entry.actor,
          entry.act,
          entry.subject,
          entry.before,
          entry.after,
          Long.toString(entry.version)
        }) {
      byte[] bytes = (part == null ? "" : part).getBytes(StandardCharsets.UTF_8);
      digest.update(((part == null ? "-" : bytes.length) + ":").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    return HEX.formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
