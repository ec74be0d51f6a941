package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PayloadTest {
  private static PayloadReader reader(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return new PayloadReader("thing", bytes);
  }

  @Test
  void readsWhatWasWritten() {
    long[] numbers = {0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE, -1};
    PayloadWriter writer = new PayloadWriter().putByte(200);
    for (long number : numbers) {
      writer.putNumber(number);
    }
    writer.putText("").putText("plain").putText("žluť 🐎").putText("x".repeat(10_000));
    writer.putBytes(new byte[] {1, 2});
    assertThat(writer.length()).isEqualTo(writer.toBytes().length);

    PayloadReader reader = new PayloadReader("thing", writer.toBytes());
    assertThat(reader.readByte()).isEqualTo(200);
    for (long number : numbers) {
      assertThat(reader.readNumber()).isEqualTo(number);
    }
    assertThat(reader.readText()).isEmpty();
    assertThat(reader.readText()).isEqualTo("plain");
    assertThat(reader.readText()).isEqualTo("žluť 🐎");
    assertThat(reader.readText()).hasSize(10_000);
    assertThat(reader.isAtEnd()).isFalse();
    assertThat(reader.readBytes()).containsExactly(1, 2);
    assertThat(reader.isAtEnd()).isTrue();
    reader.requireEnd();
  }

  @Test
  void saysWhatIsWrongAndWhere() {
    assertThatThrownBy(() -> reader().readByte())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("thing of 0 bytes ends too early, at byte 0");
    assertThatThrownBy(() -> reader(0x80).readNumber())
        .hasMessage("thing of 1 bytes ends too early, at byte 1");
    assertThatThrownBy(() -> reader(255, 255, 255, 255, 255, 255, 255, 255, 255, 2).readNumber())
        .hasMessage("thing of 10 bytes has a number of more than 64 bits, at byte 10");
    assertThatThrownBy(() -> reader(9).readNumber(1, 8))
        .hasMessage("thing of 1 bytes must have a number from 1 to 8, got 9, at byte 1");
    assertThatThrownBy(() -> reader(3, 'a', 'b').readText())
        .hasMessage("thing of 3 bytes ends too early, at byte 1");
    assertThatThrownBy(() -> reader(1, 0xff).readText())
        .hasMessage("thing of 2 bytes has a text that is not UTF-8, at byte 2");
    assertThatThrownBy(() -> reader(1, 2).requireEnd())
        .hasMessage("thing of 2 bytes has 2 bytes too many, at byte 0");
  }

  @Test
  void aLengthThatIsNotThereCostsNoMemory() {
    assertThatThrownBy(() -> reader(255, 255, 255, 255, 255, 255, 255, 255, 255, 1).readBytes())
        .hasMessageContaining("ends too early");
    assertThatThrownBy(() -> reader(255, 255, 255, 255, 7).readBytes())
        .hasMessageContaining("ends too early");
  }
}
