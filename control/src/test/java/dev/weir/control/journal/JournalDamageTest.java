package dev.weir.control.journal;

import static dev.weir.control.journal.Records.ONLY_BY_FLUSH;
import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.append;
import static dev.weir.control.journal.Records.numbers;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.segments;
import static dev.weir.control.journal.Records.sequences;
import static dev.weir.control.journal.Records.text;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalDamageTest {
  @TempDir private Path folder = Path.of("");

  /** The one segment of a journal with records 1 to some number. */
  private Path oneSegment(long records) throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, records);
    }
    assertThat(segments(folder)).hasSize(1);
    return segments(folder).get(0);
  }

  /** Puts other bytes in the place of all segments. */
  private void restore(Path segment, byte[] content) throws IOException {
    for (Path file : segments(folder)) {
      Files.delete(file);
    }
    Files.write(segment, content);
  }

  private static int frameBytes(long number) {
    return Frame.bytes(record(text(number)));
  }

  @Test
  void aTornEndIsCutWhereverItIsTorn() throws Exception {
    Path segment = oneSegment(10);
    byte[] whole = Files.readAllBytes(segment);
    int lastThree = frameBytes(8) + frameBytes(9) + frameBytes(10);
    for (int bytes = whole.length - lastThree; bytes < whole.length; bytes++) {
      restore(segment, Arrays.copyOf(whole, bytes));
      int left = whole.length - bytes;
      long records = 10;
      for (int lost = 0; lost < left; lost += frameBytes(records--)) {
        assertThat(records).isGreaterThan(7);
      }
      try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
        append(journal, records + 1, records + 3);

        List<JournalRecord> read = all(journal, 0);
        assertThat(sequences(read)).as("%d bytes", bytes).isEqualTo(numbers(1, records + 3));
        assertThat(texts(read)).isEqualTo(texts(1, records + 3));
        assertThat(journal.statistics().damaged()).isZero();
      }
      assertThat(segments(folder)).hasSize(1);
    }
  }

  /** Whatever bit is wrong: all other records are read, and no new one gets an old sequence. */
  @Test
  void aWrongBitCostsOneRecord() throws Exception {
    Path segment = oneSegment(6);
    byte[] whole = Files.readAllBytes(segment);
    int at = whole.length - frameBytes(4) - frameBytes(5) - frameBytes(6);
    for (long damaged = 4; damaged <= 6; damaged++) {
      for (int bit = 0; bit < frameBytes(damaged) * 8; bit++) {
        byte[] wrong = whole.clone();
        wrong[at + bit / 8] ^= (byte) (1 << (bit % 8));
        restore(segment, wrong);
        try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
          assertThat(journal.append(record("new"))).isTrue();
          journal.flush();

          List<Long> sequences = numbers(1, 7);
          sequences.remove(damaged);
          List<String> texts = new ArrayList<>(texts(1, 6));
          texts.remove(text(damaged));
          texts.add("new");
          List<JournalRecord> read = all(journal, 0);
          assertThat(sequences(read)).as("%d, bit %d", damaged, bit).isEqualTo(sequences);
          assertThat(texts(read)).isEqualTo(texts);
          assertThat(journal.statistics().damaged()).isEqualTo(1);
        }
      }
      at += frameBytes(damaged);
    }
  }

  @Test
  void zerosBehindTheEndAreCut() throws Exception {
    Path segment = oneSegment(10);
    Files.write(segment, new byte[100_000], StandardOpenOption.APPEND);
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 11, 12);
      assertThat(texts(all(journal, 0))).isEqualTo(texts(1, 12));
      assertThat(journal.statistics().damaged()).isZero();
    }
  }

  @Test
  void anEndThatWasDestroyedCountsForAsManyRecordsAsMayHaveBeenThere() throws Exception {
    Path segment = oneSegment(40);
    byte[] wrong = Files.readAllBytes(segment);
    int destroyed = frameBytes(38) + frameBytes(39) + frameBytes(40);
    Arrays.fill(wrong, wrong.length - destroyed, wrong.length, (byte) 0xAA);
    Files.write(segment, wrong);
    // Opened once more before anything is written: the sequences are not given either.
    Journal.open(folder, ONLY_BY_FLUSH).close();
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      journal.append(record("new"));
      journal.flush();

      List<JournalRecord> read = all(journal, 0);
      assertThat(texts(read.subList(0, 37))).isEqualTo(texts(1, 37));
      assertThat(read).hasSize(38);
      assertThat(read.get(37).sequence()).isEqualTo(37 + destroyed / 16 + 1);
      assertThat(journal.statistics().damaged()).isEqualTo(destroyed / 16);
    }
    // What is left stays for somebody to look at.
    assertThat(Files.readAllBytes(segment)).isEqualTo(wrong);
  }

  @Test
  void damageInOlderSegmentsIsCountedAndWhatIsBehindItIsRead() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
    }
    List<Path> segments = segments(folder);
    List<Long> missing = new ArrayList<>();
    missing.addAll(destroyStart(segments.get(1), segments.get(2)));
    missing.addAll(cutInHalf(segments.get(3), segments.get(4)));
    missing.addAll(numbers(first(segments.get(5)), first(segments.get(6)) - 1));
    Files.delete(segments.get(5));
    List<Long> left = numbers(1, 1_000);
    left.removeAll(missing);

    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      for (int again = 0; again < 2; again++) {
        List<JournalRecord> read = all(journal, 0);
        assertThat(sequences(read)).isEqualTo(left);
        assertThat(texts(read)).isEqualTo(left.stream().map(Records::text).toList());
        assertThat(journal.statistics().damaged()).isEqualTo(missing.size());
      }
    }
  }

  private static long first(Path segment) {
    return Segment.firstOf(segment).getAsLong();
  }

  /** Destroys the first two records of a segment, and says which. */
  private static List<Long> destroyStart(Path segment, Path next) throws IOException {
    byte[] wrong = Files.readAllBytes(segment);
    long first = first(segment);
    int bytes = frameBytes(first) + 5;
    Arrays.fill(wrong, 0, bytes, (byte) 0x55);
    Files.write(segment, wrong);
    assertThat(first(next)).isGreaterThan(first + 2);
    return List.of(first, first + 1);
  }

  /** Takes the second half of a segment away, and says which records were in it. */
  private static List<Long> cutInHalf(Path segment, Path next) throws IOException {
    byte[] half = Arrays.copyOf(Files.readAllBytes(segment), (int) Files.size(segment) / 2);
    Files.write(segment, half);
    long number = first(segment);
    for (int bytes = frameBytes(number); bytes <= half.length; bytes += frameBytes(number)) {
      number++;
    }
    return numbers(number, first(next) - 1);
  }

  @Test
  void damageThatTheDatabaseNeverNeedsIsNotCounted() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
    }
    List<Path> segments = segments(folder);
    destroyStart(segments.get(0), segments.get(1));
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(texts(all(journal, 2))).isEqualTo(texts(3, 1_000));
      assertThat(journal.statistics().damaged()).isZero();
      assertThat(texts(all(journal, 1))).isEqualTo(texts(3, 1_000));
      assertThat(journal.statistics().damaged()).isEqualTo(1);
    }
  }

  @Test
  void damageWhileItIsOpenIsFoundByWhoReads() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 10);
      Path segment = segments(folder).get(0);
      byte[] wrong = Files.readAllBytes(segment);
      wrong[wrong.length - 1] ^= 1;
      Files.write(segment, wrong);

      assertThat(texts(all(journal, 0))).isEqualTo(texts(1, 9));
      assertThat(all(journal, 9)).isEmpty();
      assertThat(journal.statistics().damaged()).isEqualTo(1);
      append(journal, 11, 12);
      assertThat(texts(all(journal, 9))).isEqualTo(texts(11, 12));
      assertThat(journal.statistics().damaged()).isEqualTo(1);
    }
  }

  @Test
  void aRecordThatLooksLikeAFrameIsNotTakenForOne() throws Exception {
    byte[] inner = new byte[Frame.HEADER_BYTES + 6];
    Frame.put(ByteBuffer.wrap(inner), 2, record("forged"));
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      journal.append(inner);
      journal.append(record("true"));
      journal.flush();

      assertThat(all(journal, 0)).hasSize(2);
      assertThat(texts(all(journal, 1))).containsExactly("true");
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(texts(all(journal, 1))).containsExactly("true");
      assertThat(all(journal, 0)).first().extracting(JournalRecord::payload).isEqualTo(inner);
    }
  }
}
