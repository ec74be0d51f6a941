package dev.weir.control.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Decisions as a plain list has them, which a database has to agree with. */
final class AuditModel {
  /** In the order in which they were written. */
  private final List<AuditRecord> records = new ArrayList<>();

  void addAll(List<AuditRecord> written) {
    records.addAll(written);
  }

  AuditRecord get(int index) {
    return records.get(index);
  }

  int size() {
    return records.size();
  }

  /** What must be found, the newest first. */
  List<AuditRecord> expected(AuditFilter filter) {
    return IntStream.range(0, records.size())
        .boxed()
        .filter(i -> holds(filter, records.get(i)))
        .sorted(
            Comparator.<Integer, Long>comparing(i -> records.get(i).timestampMicros())
                .thenComparing(Comparator.naturalOrder())
                .reversed())
        .map(records::get)
        .toList();
  }

  private static boolean holds(AuditFilter filter, AuditRecord record) {
    return is(filter.user(), record, AuditColumn.USER_ID)
        && is(filter.client(), record, AuditColumn.CLIENT)
        && is(filter.key(), record, AuditColumn.API_KEY_ID)
        && is(filter.ipAddress(), record, AuditColumn.IP_ADDRESS)
        && is(filter.decision(), record, AuditColumn.DECISION)
        && is(filter.endpoint(), record, AuditColumn.ENDPOINT)
        && is(filter.rule(), record, AuditColumn.RULE_NAME)
        && is(filter.region(), record, AuditColumn.REGION)
        && (filter.from() == null || !record.timestamp().isBefore(filter.from()))
        && (filter.to() == null || record.timestamp().isBefore(filter.to()));
  }

  private static boolean is(@Nullable String value, AuditRecord record, AuditColumn column) {
    return value == null || value.equals(record.text(column));
  }
}
