package dev.weir.control.usage;

import dev.weir.control.outbox.Sink;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Adds what was used to {@code user_quotas} and {@code api_keys}. Neither the versions of rows nor
 * that of the configuration change by it. Rows that are gone are passed over.
 */
public final class UsageSink implements Sink {
  /** The kind of usage records. */
  public static final byte KIND = 3;

  private static final System.Logger LOGGER = System.getLogger(UsageSink.class.getName());

  /** Instances lock rows in one order, so that none waits for another that waits for it. */
  private static final Comparator<UsageDelta> ORDER =
      Comparator.comparing(UsageDelta::kind)
          .thenComparing(UsageDelta::id)
          .thenComparing(UsageDelta::day);

  /**
   * Contract: adds :requests, used on :day, which lies in the month from :month to :next_month. A
   * later day than that of the row begins anew, and so does a later month; what comes late is added
   * to the month if that is still the row's, and to the day if that is.
   */
  private static final String ADD_TO_USER =
      """
      update user_quotas set
        total_requests_today = case
          when usage_day is null or usage_day < :day then :requests
          when usage_day = :day then total_requests_today + :requests
          else total_requests_today end,
        total_requests_month = case
          when usage_day is null or usage_day < :month then :requests
          when usage_day < :next_month then total_requests_month + :requests
          else total_requests_month end,
        quota_reset_at = case
          when usage_day is null or usage_day < :next_month then :reset
          else quota_reset_at end,
        usage_day = case when usage_day is null or usage_day < :day then :day else usage_day end,
        last_request_at = greatest(coalesce(last_request_at, :last), :last),
        quota_exceeded_count = quota_exceeded_count + :exceeded
      where user_id = :id
      """;

  /** Contract: adds :requests, the last of them at :last. */
  private static final String ADD_TO_KEY =
      """
      update api_keys set
        total_requests = total_requests + :requests,
        last_used_at = greatest(coalesce(last_used_at, :last), :last)
      where api_key_id = :id
      """;

  @Override
  public byte kind() {
    return KIND;
  }

  @Override
  public void write(Handle handle, List<byte[]> payloads) {
    Map<UsageDelta, UsageDelta> merged = new TreeMap<>(ORDER);
    for (byte[] payload : payloads) {
      parsed(payload).forEach(delta -> merged.merge(delta, delta, UsageDelta::plus));
    }
    PreparedBatch users = handle.prepareBatch(ADD_TO_USER);
    PreparedBatch keys = handle.prepareBatch(ADD_TO_KEY);
    for (UsageDelta delta : merged.values()) {
      if (delta.kind() == UsageDelta.Kind.USER) {
        addUser(users, delta);
      } else {
        addKey(keys, delta);
      }
    }
    for (PreparedBatch batch : List.of(users, keys)) {
      if (batch.size() > 0) {
        batch.execute();
      }
    }
  }

  /** A record that cannot be read must not keep all others from being written. */
  private static List<UsageDelta> parsed(byte[] payload) {
    try {
      return UsageRecord.parse(payload);
    } catch (IllegalArgumentException wrong) {
      LOGGER.log(System.Logger.Level.WARNING, "usage is left out: {0}", wrong.getMessage());
      return new ArrayList<>();
    }
  }

  private static void addUser(PreparedBatch batch, UsageDelta delta) {
    LocalDate day = LocalDate.ofEpochDay(delta.day());
    LocalDate month = day.withDayOfMonth(1);
    LocalDate nextMonth = month.plusMonths(1);
    batch
        .bind("requests", delta.requests())
        .bind("day", day)
        .bind("month", month)
        .bind("next_month", nextMonth)
        .bind("reset", nextMonth.atStartOfDay(ZoneOffset.UTC).toInstant())
        .bind("last", instant(delta.lastMicros()))
        .bind("exceeded", delta.exceeded())
        .bind("id", delta.id())
        .add();
  }

  private static void addKey(PreparedBatch batch, UsageDelta delta) {
    batch
        .bind("requests", delta.requests())
        .bind("last", instant(delta.lastMicros()))
        .bind("id", UUID.fromString(delta.id()))
        .add();
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
