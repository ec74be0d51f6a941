package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowDigestTest {
  private static String of(@Nullable String... rows) {
    RowDigest digest = new RowDigest();
    for (String row : rows) {
      digest.add(row).endRow();
    }
    assertThat(digest.rows()).isEqualTo(rows.length);
    return digest.checksum();
  }

  @Test
  void theOrderOfRowsDoesNotMatterButEachOneDoes() {
    assertThat(of("a", "b", "c")).isEqualTo(of("c", "a", "b")).hasSize(64);
    assertThat(of()).isEqualTo("0".repeat(64));
    assertThat(List.of(of("a", "b"), of("a"), of("a", "c"), of("a", "b", "b"), of("a", "a"), of()))
        .doesNotHaveDuplicates();
    // Twice the same is not the same as not at all.
    assertThat(of("a", "a")).isNotEqualTo(of());
  }

  /** Each row has the same types, as those of a table do. */
  private static void assertDifferent(RowDigest... rows) {
    Set<String> sums = new HashSet<>();
    for (RowDigest row : rows) {
      row.endRow();
      assertThat(sums.add(row.checksum())).isTrue();
    }
  }

  @Test
  void valuesThatAreAlikeAreToldApart() {
    assertDifferent(
        new RowDigest().add((String) null).add((String) null),
        new RowDigest().add("").add((String) null),
        new RowDigest().add((String) null).add(""),
        new RowDigest().add("").add(""),
        new RowDigest().add("a").add("b"),
        new RowDigest().add("ab").add(""),
        new RowDigest().add("").add("ab"),
        new RowDigest().add("x".repeat(5_000)).add(""));
    assertDifferent(
        new RowDigest().add((Long) null).add((Long) null),
        new RowDigest().add(Long.valueOf(0)).add((Long) null),
        new RowDigest().add((Long) null).add(Long.valueOf(0)),
        new RowDigest().add(Long.valueOf(0)).add(Long.valueOf(0)),
        new RowDigest().add(Long.valueOf(-1)).add(Long.valueOf(0)));
    assertDifferent(
        new RowDigest().add(Instant.EPOCH).add(true),
        new RowDigest().add(Instant.EPOCH).add(false),
        new RowDigest().add((Instant) null).add(true),
        new RowDigest().add(Instant.EPOCH.plusNanos(1_000)).add(true));
  }
}
