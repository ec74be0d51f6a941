package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.Address;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import java.util.Collections;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedForTest {
  private static final String PROXY = "10.0.0.1";

  private final ForwardedFor finder = new ForwardedFor(Fixtures.trusted(), 1, 64);

  private String client(String peer, String... namesAndValues) {
    return String.valueOf(finder.client(peer, Fixtures.headers(namesAndValues)).address());
  }

  @Test
  @DisplayName("T1: an untrusted peer is the client, whatever it says")
  void anUntrustedPeerIsTheClient() {
    assertThat(client("203.0.113.9", "X-Forwarded-For", "1.2.3.4", "X-Real-IP", "1.2.3.5"))
        .isEqualTo("203.0.113.9");
  }

  @Test
  @DisplayName("T2: what stands left of the client is not believed")
  void whatStandsLeftOfTheClientIsNotBelieved() {
    assertThat(client(PROXY, "X-Forwarded-For", "6.6.6.6, 203.0.113.7")).isEqualTo("203.0.113.7");
  }

  @Test
  @DisplayName("T3: several lines are one list")
  void severalLinesAreOneList() {
    assertThat(client(PROXY, "X-Forwarded-For", "6.6.6.6", "x-forwarded-for", "203.0.113.7"))
        .isEqualTo("203.0.113.7");
    assertThat(client(PROXY, "X-Forwarded-For", "203.0.113.7", "X-Forwarded-For", "10.0.0.2"))
        .isEqualTo("203.0.113.7");
  }

  @Test
  @DisplayName("T5: Forwarded is ignored, with one warning for the first from a trusted proxy")
  void forwardedIsIgnoredWithOneWarning() {
    try (LogCapture log = LogCapture.start()) {
      assertThat(client("203.0.113.9", "Forwarded", "for=9.9.9.9")).isEqualTo("203.0.113.9");
      assertThat(log.lines()).isEmpty();
      for (int i = 0; i < 100; i++) {
        String forwarded = "for=9.9.9." + i;
        assertThat(client(PROXY, "Forwarded", forwarded)).isEqualTo(PROXY);
        assertThat(client(PROXY, "Forwarded", forwarded, "X-Forwarded-For", "203.0.113.7"))
            .isEqualTo("203.0.113.7");
      }
      assertThat(log.lines()).singleElement().asString().contains("Forwarded, which is ignored");
    }
  }

  @ParameterizedTest(name = "T6: X-Forwarded-For \"{0}\" is {1}")
  @CsvFileSource(resources = "forwarded-for.csv", delimiter = '|', nullValues = "-")
  void readsTheHopsFromTheRight(String list, String expected) {
    String text = list == null ? "" : list.replace("NUL", "\0").replace("TAB", "\t");
    assertThat(client(PROXY, "X-Forwarded-For", text)).isEqualTo(expected);
  }

  @Test
  @DisplayName("T6: more than 50 hops are refused")
  void moreThanFiftyHopsAreRefused() {
    String fifty = String.join(",", Collections.nCopies(50, "203.0.113.7"));
    assertThat(client(PROXY, "X-Forwarded-For", fifty)).isEqualTo("203.0.113.7");
    Headers more = Fixtures.headers("X-Forwarded-For", fifty, "X-Forwarded-For", "203.0.113.7");
    assertThatThrownBy(() -> finder.client(PROXY, more))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("X-Forwarded-For must have at most 50 hops, got 51");
  }

  @Test
  @DisplayName("T6: more than 8 KiB are refused, and 10,000 hops")
  void moreThanEightKibibytesAreRefused() {
    assertThat(client(PROXY, "X-Forwarded-For", " ".repeat(8_181) + "203.0.113.7"))
        .isEqualTo("203.0.113.7");
    Headers long1 = Fixtures.headers("X-Forwarded-For", "1.1.1.1," + " ".repeat(8_185));
    assertThatThrownBy(() -> finder.client(PROXY, long1))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessage("X-Forwarded-For must be at most 8192 characters long");
    Headers many =
        Fixtures.headers(
            "X-Forwarded-For", String.join(",", Collections.nCopies(10_000, "1.1.1.1")));
    assertThatThrownBy(() -> finder.client(PROXY, many))
        .isInstanceOf(MalformedRequestException.class);
    assertThat(String.valueOf(finder.client("203.0.113.9", many).address()))
        .as("nobody reads what an untrusted peer sends")
        .isEqualTo("203.0.113.9");
  }

  private static String randomList(SplittableRandom random) {
    String[] pieces = {
      "203.0.113.7",
      "10.0.0.2",
      "2001:db8::1",
      "fe80::1%eth0",
      "1.2.3",
      ",",
      ",",
      ", ",
      " ",
      ":",
      ":80",
      "[",
      "]",
      "%00",
      "%",
      "\0",
      "\r\n",
      "\t",
      "unknown",
      "_x",
      "for=",
      "\"",
      ";",
      "é",
      "/8"
    };
    StringBuilder list = new StringBuilder();
    for (int length = random.nextInt(9); length > 0; length--) {
      list.append(pieces[random.nextInt(pieces.length)]);
    }
    return list.toString();
  }

  @Test
  @DisplayName(
      "T6: whatever a list holds, there is a client, and what it writes before changes none")
  void whateverAListHoldsThereIsAClient() {
    SplittableRandom random = new SplittableRandom(6);
    int clients = 0;
    for (int i = 0; i < 200_000; i++) {
      String list = randomList(random);
      String before = randomList(random);
      String client = client(PROXY, "X-Forwarded-For", list);

      assertThat(Address.parseOrNull(client)).as("%s of %s", client, list).isNotNull();
      assertThat(client(PROXY, "X-Forwarded-For", list)).as("%s again", list).isEqualTo(client);
      if (!client.startsWith("10.")) {
        clients++;
        assertThat(client(PROXY, "X-Forwarded-For", before + "," + list))
            .as("%s before %s", before, list)
            .isEqualTo(client);
      }
    }
    assertThat(clients).isGreaterThan(5_000);
  }

  @Test
  @DisplayName("T7: without a list the proxy itself is the client")
  void withoutAListTheProxyItselfIsTheClient() {
    assertThat(client(PROXY)).isEqualTo(PROXY);
  }

  @Test
  void aListWithoutAClientIsReadAnewForEachProxy() {
    String other = "10.0.0.2";
    for (int i = 0; i < 3; i++) {
      assertThat(client(PROXY, "X-Forwarded-For", "nonsense")).isEqualTo(PROXY);
      assertThat(client(other, "X-Forwarded-For", "nonsense")).isEqualTo(other);
      assertThat(client(PROXY, "X-Forwarded-For", "203.0.113.7, nonsense")).isEqualTo(PROXY);
      assertThat(client(other, "X-Forwarded-For", "203.0.113.7, nonsense")).isEqualTo(other);
    }
  }

  @Test
  void realIpIsReadFromTrustedProxiesWithoutAListOnly() {
    assertThat(client(PROXY, "X-Real-IP", "203.0.113.7")).isEqualTo("203.0.113.7");
    assertThat(client(PROXY, "X-Real-IP", "nonsense")).isEqualTo(PROXY);
    assertThat(client(PROXY, "X-Real-IP", "203.0.113.7", "X-Real-IP", "203.0.113.8"))
        .isEqualTo(PROXY);
    assertThat(client(PROXY, "X-Real-IP", "1.2.3.4", "X-Forwarded-For", "203.0.113.7"))
        .isEqualTo("203.0.113.7");
    assertThat(client(PROXY, "X-Real-IP", "1.2.3.4", "X-Forwarded-For", "")).isEqualTo(PROXY);
  }

  @ParameterizedTest(name = "depth {0}: {1}")
  @CsvSource({"0, 10.0.0.2", "1, 10.0.0.3", "2, 10.0.0.4", "3, 203.0.113.7", "9, 203.0.113.7"})
  void skipsNoMoreTrustedHopsThanAllowed(int depth, String expected) {
    ForwardedFor deep = new ForwardedFor(Fixtures.trusted(), depth, 64);
    Headers headers =
        Fixtures.headers("X-Forwarded-For", "6.6.6.6, 203.0.113.7, 10.0.0.4, 10.0.0.3, 10.0.0.2");
    assertThat(String.valueOf(deep.client(PROXY, headers).address())).isEqualTo(expected);
  }

  @ParameterizedTest(name = "T9, T10: peer \"{0}\" is {1}")
  @CsvSource({
    "::ffff:1.2.3.4, 1.2.3.4",
    "::ffff:102:304, 1.2.3.4",
    "0:0:0:0:0:FFFF:0102:0304, 1.2.3.4",
    "64:ff9b::1.2.3.4, 1.2.3.4",
    "1.2.3.4, 1.2.3.4",
    "1.2.3.4:55123, 1.2.3.4",
    "[2001:0DB8:0:0::0001]:443, 2001:db8::1",
    "fe80::1%eth0, fe80::1",
    "2001:db8::1.2.3.4, 2001:db8::102:304",
    "010.0.0.1, null",
    "localhost, null",
    "example.com, null",
    "/var/run/weir.sock, null"
  })
  void readsThePeerAsBits(String peer, String expected) {
    assertThat(client(peer, "X-Forwarded-For", "6.6.6.6")).isEqualTo(expected);
  }

  @Test
  @DisplayName("T11: without a peer nothing else is believed")
  void withoutAPeerNothingElseIsBelieved() {
    assertThat(finder.client(null, Fixtures.headers("X-Forwarded-For", "203.0.113.7")).isUnknown())
        .isTrue();
  }

  @Test
  @DisplayName("T9: a proxy with a mapped address is the same proxy")
  void aProxyWithAMappedAddressIsTheSameProxy() {
    assertThat(client("::ffff:10.0.0.1", "X-Forwarded-For", "203.0.113.7, ::ffff:a00:2"))
        .isEqualTo("203.0.113.7");
  }
}
