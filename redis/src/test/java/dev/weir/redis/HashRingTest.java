package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashRingTest {
  private static final int KEYS = 100_000;
  private static final List<String> SERVERS = List.of("a:6379", "b:6379", "c:6379", "d:6379");

  private static String key(int i) {
    return "user:" + i;
  }

  private static long[] shares(HashRing ring, int servers) {
    long[] shares = new long[servers];
    IntStream.range(0, KEYS).forEach(i -> shares[ring.ownerOf(key(i))]++);
    return shares;
  }

  @Test
  void givesEachServerAboutItsShare() {
    for (long share : shares(new HashRing(SERVERS, 100), 4)) {
      assertThat(share).isBetween(KEYS / 4L * 7 / 10, KEYS / 4L * 13 / 10);
    }
  }

  @Test
  void spreadsMoreEvenlyWithMorePoints() {
    for (long share : shares(new HashRing(SERVERS, 5_000), 4)) {
      assertThat(share).isBetween(KEYS / 4L * 95 / 100, KEYS / 4L * 105 / 100);
    }
  }

  @Test
  void movesOnlyTheShareOfAServerThatIsAdded() {
    HashRing before = new HashRing(SERVERS.subList(0, 3), 100);
    HashRing after = new HashRing(SERVERS, 100);
    List<Integer> moved =
        IntStream.range(0, KEYS)
            .filter(i -> before.ownerOf(key(i)) != after.ownerOf(key(i)))
            .boxed()
            .toList();

    assertThat(moved).hasSizeBetween(KEYS / 4 * 7 / 10, KEYS / 4 * 13 / 10);
    assertThat(moved).allMatch(i -> after.ownerOf(key(i)) == 3);
  }

  @Test
  void goesByTheNamesOfServersAndNotByTheirOrder() {
    List<String> reversed = new ArrayList<>(SERVERS);
    Collections.reverse(reversed);
    HashRing one = new HashRing(SERVERS, 100);
    HashRing other = new HashRing(reversed, 100);

    assertThat(IntStream.range(0, KEYS))
        .allMatch(
            i -> SERVERS.get(one.ownerOf(key(i))).equals(reversed.get(other.ownerOf(key(i)))));
  }
}
