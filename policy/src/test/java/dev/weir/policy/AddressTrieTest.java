package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AddressTrieTest {

  private static AddressTrie trie(List<Cidr> ranges) {
    AddressTrie.Builder builder = new AddressTrie.Builder();
    for (int i = 0; i < ranges.size(); i++) {
      builder.add(ranges.get(i), i);
    }
    return builder.build();
  }

  private static AddressTrie trie(String... ranges) {
    return trie(List.of(ranges).stream().map(Cidr::parse).toList());
  }

  private static List<Integer> find(AddressTrie trie, Address address) {
    IntBag found = new IntBag();
    trie.match(address, found);
    found.sort();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      numbers.add(found.get(i));
    }
    assertThat(trie.containsAny(address)).isEqualTo(!numbers.isEmpty());
    return numbers;
  }

  @Test
  void findsAllRangesAroundAnAddress() {
    AddressTrie trie =
        trie("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "0.0.0.0/0", "10.2.0.0/16", "::/0");

    assertThat(find(trie, Address.parse("10.1.2.3"))).containsExactly(0, 1, 2, 3);
    assertThat(find(trie, Address.parse("10.1.2.4"))).containsExactly(0, 1, 3);
    assertThat(find(trie, Address.parse("11.0.0.0"))).containsExactly(3);
    assertThat(find(trie, Address.parse("::a01:203"))).containsExactly(5);
  }

  @Test
  void aRangeAddedTwiceIsFoundTwice() {
    AddressTrie trie = trie("10.0.0.0/8", "::ffff:10.0.0.0/104");

    assertThat(find(trie, Address.parse("10.0.0.1"))).containsExactly(0, 1);
  }

  @Test
  void aBranchWithoutARangeContainsNothing() {
    AddressTrie trie = trie("10.0.0.0/16", "10.3.0.0/16");

    assertThat(find(trie, Address.parse("10.2.0.0"))).isEmpty();
    assertThat(find(trie, Address.parse("10.1.0.0"))).isEmpty();
  }

  @Test
  void findsNothingWhenEmpty() {
    assertThat(find(trie(), Address.parse("10.0.0.1"))).isEmpty();
    assertThat(find(trie(), Address.parse("::1"))).isEmpty();
  }

  @Test
  void findsExactlyTheRangesThatContainTheAddress() {
    SplittableRandom random = new SplittableRandom(61);
    for (int round = 0; round < 1_000; round++) {
      List<Cidr> ranges = new ArrayList<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        Address some = sparse(random);
        int prefix = random.nextInt(some.bits() + 1);
        ranges.add(new Cidr(some.masked(prefix), prefix));
      }
      AddressTrie trie = trie(ranges);
      for (int i = 0; i < 20; i++) {
        Address address = sparse(random);
        List<Integer> expected = new ArrayList<>();
        for (int number = 0; number < ranges.size(); number++) {
          if (ranges.get(number).contains(address)) {
            expected.add(number);
          }
        }
        assertThat(find(trie, address)).as("%s in %s", address, ranges).isEqualTo(expected);
      }
    }
  }

  /** Few bits set, so that many addresses share long prefixes. */
  private static Address sparse(SplittableRandom random) {
    return random.nextBoolean()
        ? new Address(0, fewBits(random) & 0xffff_ffffL, true)
        : Address.ofBits(fewBits(random), fewBits(random));
  }

  private static long fewBits(SplittableRandom random) {
    long bits = 0;
    for (int i = 0; i < 4; i++) {
      bits |= 1L << random.nextInt(64);
    }
    return bits;
  }
}
