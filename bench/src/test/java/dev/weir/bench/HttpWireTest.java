package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpWireTest {
  private static final String RIGHT =
      "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"good\": yes}";

  private final HttpWire wire = new HttpWire(new byte[][] {bytes("first"), bytes("second")}, "yes");
  private final List<String> answers = new ArrayList<>();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Takes what has come, and returns what is left. */
  private String take(String come) {
    ByteBuffer in = ByteBuffer.wrap(bytes(come));
    wire.take(in, (number, isRight) -> answers.add(number + " " + isRight), in);
    return StandardCharsets.US_ASCII.decode(in).toString();
  }

  @Test
  void asksForTheClient() {
    ByteBuffer out = ByteBuffer.allocate(100);
    wire.open(out);
    wire.ask(0, 1, out);

    assertThat(out.flip()).isEqualTo(ByteBuffer.wrap(bytes("second")));
  }

  @Test
  void takesWholeAnswersOnly() {
    for (int split = 0; split < RIGHT.length(); split++) {
      HttpWireTest other = new HttpWireTest();
      String rest = other.take(RIGHT + RIGHT.substring(0, split));

      assertThat(rest).isEqualTo(RIGHT.substring(0, split));
      assertThat(other.answers).containsExactly("0 true");
    }
  }

  @Test
  void numbersAnswersInTheirOrder() {
    assertThat(take(RIGHT + RIGHT + RIGHT)).isEmpty();
    assertThat(answers).containsExactly("0 true", "1 true", "2 true");
  }

  @Test
  void noticesOtherStatusesAndBodies() {
    assertThat(take(RIGHT.replace("200", "429") + RIGHT.replace("yes", "bad") + RIGHT)).isEmpty();
    assertThat(answers).containsExactly("0 false", "1 false", "2 true");
  }

  @Test
  void refusesAnswersThatDoNotSayHowLongTheyAre() {
    assertThatThrownBy(() -> take("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
        .hasMessage("an answer without a content-length");
  }
}
