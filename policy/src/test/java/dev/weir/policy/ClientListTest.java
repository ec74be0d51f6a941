package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientListTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Client ALICE =
      Client.at(Address.parse("10.1.2.3"), 64).withUser("alice").withKey("k1");

  private final ManualTime time = TimeSource.manual(START);
  private final ClientList blocks = new ClientList(time);

  private void block(String client) {
    blocks.put(new ListedClient(client, "abuse", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:alice", "key:k1", "ip:10.1.2.3", "ip:10.0.0.0/8", "ip:0.0.0.0/0"})
  void findsTheBlockOfAClient(String client) {
    block(client);

    assertThat(blocks.find(ALICE)).isEqualTo(new ListedClient(client, "abuse", null));
    assertThat(blocks.entries()).containsExactly(new ListedClient(client, "abuse", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:bob", "user:k1", "key:alice", "ip:10.1.2.4", "ip:11.0.0.0/8"})
  void findsNoBlockOfAnother(String client) {
    block(client);

    assertThat(blocks.find(ALICE)).isNull();
  }

  @Test
  void aClientWithoutAnAddressIsInNoRange() {
    block("ip:0.0.0.0/0");
    block("ip:::/0");

    assertThat(blocks.find(Client.unknown().withUser("alice"))).isNull();
    assertThat(blocks.find(Client.unknown())).isNull();
  }

  @Test
  void blocksAnIpv6ClientByItsId() {
    Client client = Client.at(Address.parse("2001:db8::7"), 64);
    block(client.id());

    assertThat(blocks.find(client)).isNotNull();
    assertThat(blocks.find(Client.at(Address.parse("2001:db8::8"), 64))).isNotNull();
    assertThat(blocks.find(Client.at(Address.parse("2001:db8:0:1::8"), 64))).isNull();
  }

  @Test
  void aBlockEndsAtItsInstant() {
    blocks.put(new ListedClient("user:alice", "for a while", START.plusSeconds(60)));
    time.advance(Duration.ofSeconds(60).minusMillis(1));
    assertThat(blocks.find(ALICE)).isNotNull();
    time.advance(Duration.ofMillis(1));

    assertThat(blocks.find(ALICE)).isNull();
    assertThat(blocks.entries()).isEmpty();
    assertThat(blocks.remove("user:alice")).isFalse();
  }

  @Test
  void aWiderRangeHoldsAfterANarrowOneHasEnded() {
    blocks.put(new ListedClient("ip:10.1.0.0/16", "narrow", START.plusSeconds(9)));
    blocks.put(new ListedClient("ip:10.0.0.0/8", "wide", START.plusSeconds(5)));
    assertThat(blocks.find(ALICE)).extracting(ListedClient::reason).isEqualTo("wide");
    time.advance(Duration.ofSeconds(5));

    assertThat(blocks.find(ALICE)).extracting(ListedClient::reason).isEqualTo("narrow");
  }

  @Test
  void aSecondBlockReplacesTheFirst() {
    blocks.put(new ListedClient("ip:::ffff:10.1.2.3", "first", null));
    blocks.put(new ListedClient("ip:10.1.2.3", "second", START.plusSeconds(1)));

    assertThat(blocks.entries())
        .containsExactly(new ListedClient("ip:10.1.2.3", "second", START.plusSeconds(1)));
  }

  @Test
  void unblocksInAnySpelling() {
    block("ip:2001:db8::1");

    assertThat(blocks.remove("ip:2001:DB8:0::1/128")).isTrue();
    assertThat(blocks.remove("user:nobody")).isFalse();
    assertThat(blocks.entries()).isEmpty();
  }

  @Test
  void usersMayHaveColons() {
    block("user::");

    assertThat(blocks.find(ALICE.withUser(":"))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "alice", "user:", "key:", "ip:", "tier:free", ":x"})
  void refusesClientsOfNoKnownKind(String client) {
    assertThatThrownBy(() -> block(client))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "client must be user:<id>, key:<id> or ip:<address or range>, got \"" + client + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:", "key:"})
  void refusesIdsThatNoClientCanHave(String kind) {
    block(kind + "x".repeat(255));

    assertThatThrownBy(() -> block(kind + "x".repeat(256)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("client must have an id of at most 255 characters, got 256");
  }

  @ParameterizedTest
  @CsvSource({
    "ip:x, '\"x\" is no range of addresses, for example 10.0.0.0/8 or 2001:db8::/32'",
    "ip:10.0.0.1/8, 10.0.0.1/8 has bits beyond its prefix; write 10.0.0.0/8",
  })
  void refusesRangesThatAreNone(String client, String message) {
    assertThatThrownBy(() -> block(client))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void worksOnTheClockOfTheSystem() {
    ClientList list = new ClientList();
    list.put(new ListedClient("user:alice", "past", Instant.EPOCH));
    assertThat(list.find(ALICE)).isNull();
    list.put(new ListedClient("user:alice", "far", Instant.parse("2300-01-01T00:00:00Z")));

    assertThat(list.find(ALICE)).isNotNull();
  }
}
