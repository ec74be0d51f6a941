package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import org.junit.jupiter.api.Test;

class SeenClientsTest {
  /** Texts of one hash code, which share a place. */
  private static final String ONE = "Aa";

  private static final String OTHER = "BB";

  private final SeenClients seen = new SeenClients();
  private final Client client = Client.at(Address.parse("203.0.113.7"), 64);
  private final Client another = Client.at(Address.parse("203.0.113.8"), 64);

  @Test
  void findsWhatWasSeenByTheWholeText() {
    assertThat(seen.find(ONE)).isNull();
    seen.saw(ONE, client);

    assertThat(seen.find(ONE.concat(""))).isSameAs(client);
    assertThat(seen.find(OTHER)).isNull();
    assertThat(seen.find("")).isNull();
  }

  @Test
  void aTextThatComesTwiceInARowTakesThePlace() {
    seen.saw(ONE, client);
    String same = "\0".repeat(8) + ONE;
    assertThat(same.hashCode()).isEqualTo(ONE.hashCode());
    seen.saw("another text", another);
    seen.saw(same, another);

    assertThat(seen.find(same)).isSameAs(another);
    assertThat(seen.find(ONE)).isNull();
  }

  @Test
  void keepsWhoIsThereWhileOthersTakeTurns() {
    seen.saw("0", client);
    for (int i = 1; i < 1_000_000; i++) {
      seen.saw("c" + i, another);
      assertThat(seen.find("c" + i)).isIn(null, another);
    }
    assertThat(seen.find("0")).isSameAs(client);
  }

  @Test
  void doesNotKeepLongTexts() {
    String longest = "1".repeat(SeenClients.LONGEST);
    seen.saw(longest, client);
    seen.saw(longest + "1", client);

    assertThat(seen.find(longest)).isSameAs(client);
    assertThat(seen.find(longest + "1")).isNull();
  }
}
