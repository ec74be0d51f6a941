package dev.weir.policy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Many ranges of addresses as two binary tries, one for IPv4 and one for IPv6: finds the numbers of
 * all ranges that contain an address in one walk along its bits. Chains without a branch are
 * skipped in one step.
 */
final class AddressTrie {
  private final @Nullable Node v4;
  private final @Nullable Node v6;

  private AddressTrie(@Nullable Node v4, @Nullable Node v6) {
    this.v4 = v4;
    this.v6 = v6;
  }

  /** Collects ranges and their numbers. */
  static final class Builder {
    private @Nullable Node v4;
    private @Nullable Node v6;

    void add(Cidr range, int number) {
      if (range.network().isV4()) {
        v4 = Node.inserted(v4, range, number);
      } else {
        v6 = Node.inserted(v6, range, number);
      }
    }

    AddressTrie build() {
      return new AddressTrie(v4, v6);
    }
  }

  /**
   * A range with what is inside it; without numbers if it is there only to branch. The bits stand
   * here and not in a {@link Cidr}, so that a step of the walk reads one object.
   */
  private static final class Node {
    private static final int[] NO_NUMBERS = {};

    final long high;
    final long low;
    final int prefix;
    int[] numbers = NO_NUMBERS;
    @Nullable Node zero;
    @Nullable Node one;

    Node(Cidr range) {
      this.high = range.network().high();
      this.low = range.network().low();
      this.prefix = range.prefix();
    }

    static Node inserted(@Nullable Node node, Cidr range, int number) {
      if (node == null) {
        Node leaf = new Node(range);
        leaf.add(number);
        return leaf;
      }
      int shared = node.sharedBits(range);
      if (shared < node.prefix) {
        Node branch = new Node(new Cidr(range.network().masked(shared), shared));
        branch.attach(node.address(range.network().isV4()).bit(shared), node);
        return inserted(branch, range, number);
      }
      if (range.prefix() == node.prefix) {
        node.add(number);
      } else {
        int side = range.network().bit(shared);
        node.attach(side, inserted(side == 0 ? node.zero : node.one, range, number));
      }
      return node;
    }

    private void add(int number) {
      numbers = Arrays.copyOf(numbers, numbers.length + 1);
      numbers[numbers.length - 1] = number;
    }

    private void attach(int side, Node child) {
      if (side == 0) {
        zero = child;
      } else {
        one = child;
      }
    }

    private Address address(boolean isV4) {
      return new Address(high, low, isV4);
    }

    private int sharedBits(Cidr range) {
      Address network = range.network();
      Address here = address(network.isV4());
      int most = Math.min(prefix, range.prefix());
      int shared = 0;
      while (shared < most && here.bit(shared) == network.bit(shared)) {
        shared++;
      }
      return shared;
    }

    /** The next node on the way to the address, which lies in this range. */
    @Nullable Node towards(Address address) {
      if (prefix == address.bits()) {
        return null;
      }
      return address.bit(prefix) == 0 ? zero : one;
    }

    boolean contains(Address address) {
      return address.startsWith(high, low, prefix);
    }
  }

  /** Whether any range contains the address. */
  boolean containsAny(Address address) {
    Node node = address.isV4() ? v4 : v6;
    while (node != null && node.contains(address)) {
      if (node.numbers.length > 0) {
        return true;
      }
      node = node.towards(address);
    }
    return false;
  }

  /** Adds the numbers of all ranges that contain the address. */
  void match(Address address, IntBag found) {
    Node node = address.isV4() ? v4 : v6;
    while (node != null && node.contains(address)) {
      found.addAll(node.numbers);
      node = node.towards(address);
    }
  }
}
