package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.journal.JournalException;
import dev.weir.control.journal.JournalOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
  @TempDir Path folder = Path.of("");

  private Outbox open() {
    return Outbox.open(folder, JournalOptions.defaults());
  }

  private static void put(Outbox outbox, int records) {
    for (int i = 0; i < records; i++) {
      assertThat(outbox.put((byte) 1, new byte[] {(byte) i})).isTrue();
    }
  }

  @Test
  void aRecordIsItsKindAndItsPayload() throws Exception {
    try (Outbox outbox = open()) {
      assertThat(outbox.put((byte) 3, new byte[] {5, 6})).isTrue();
      outbox.flush();
      assertThat(outbox.read(0, 10, 100, Duration.ZERO).get(0).payload()).containsExactly(3, 5, 6);
      assertThat(outbox.waiting()).isOne();
      outbox.acknowledge(1);
      assertThat(outbox.waiting()).isZero();
      assertThat(outbox.dropped()).isZero();
    }
  }

  @Test
  void eachStartThatPutsSomethingIsAnEpochOfItsOwn() {
    Epoch first;
    try (Outbox outbox = open()) {
      first = outbox.epochs().get(0);
      assertThat(first.start()).isZero();
      assertThat(first.end()).isEqualTo(Long.MAX_VALUE);
      put(outbox, 10);
    }
    try (Outbox outbox = open()) {
      assertThat(outbox.epochs()).hasSize(2);
      assertThat(outbox.epochs().get(0)).isEqualTo(new Epoch(first.name(), 0, 10));
      assertThat(outbox.epochs().get(1).start()).isEqualTo(10);
    }
    // Nothing was put by the second.
    try (Outbox outbox = open()) {
      assertThat(outbox.epochs()).hasSize(2);
      assertThat(outbox.epochs()).doesNotHaveDuplicates();
    }
  }

  @Test
  void epochsWithoutRecordsAreForgotten() throws Exception {
    JournalOptions options = JournalOptions.defaults().withSegmentBytes(4 << 10);
    for (int start = 0; start < 5; start++) {
      try (Outbox outbox = Outbox.open(folder, options)) {
        for (int i = 0; i < 100; i++) {
          outbox.put((byte) 1, new byte[100]);
        }
        outbox.flush();
        long last = outbox.statistics().lastSynced();
        assertThat(OutboxRecords.all(outbox)).isNotEmpty();
        outbox.acknowledge(last);
        assertThat(outbox.epochs()).hasSizeLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  void aFileThatIsNotWhatItHasToBeIsRefused() throws IOException {
    try (Outbox outbox = open()) {
      put(outbox, 1);
    }
    Path file = folder.resolve("epochs");
    String text = Files.readString(file);
    assertThat(text).startsWith("weir-outbox 1\n");

    Files.writeString(file, "something else");
    assertThatThrownBy(this::open)
        .isInstanceOf(JournalException.class)
        .hasMessage(file + " must begin with \"weir-outbox 1\"");
    for (String line : List.of("a b", "a", "", "0-0-0-0-0 x")) {
      Files.writeString(file, "weir-outbox 1\n" + line + "\n");
      assertThatThrownBy(this::open)
          .isInstanceOf(JournalException.class)
          .hasMessage(file + ":2: must be a name and a sequence, got \"" + line + "\"");
    }
    Files.delete(file);
    assertThatThrownBy(this::open)
        .isInstanceOf(JournalException.class)
        .hasMessageStartingWith(file + " must be there, as the journal beside it has records");
    Files.writeString(file, text);
    open().close();
  }

  @Test
  void aFolderInUseIsRefused() {
    try (Outbox outbox = open()) {
      assertThatThrownBy(this::open).isInstanceOf(JournalException.class);
      put(outbox, 1);
    }
  }
}
