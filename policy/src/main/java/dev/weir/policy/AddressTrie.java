package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;
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

  /** A range with what is inside it; without numbers if it is there only to branch. */
  private static final class Node {
    final Cidr range;
    final List<Integer> numbers = new ArrayList<>();
    final @Nullable Node[] children = new Node[2];

    Node(Cidr range) {
      this.range = range;
    }

    static Node inserted(@Nullable Node node, Cidr range, int number) {
      if (node == null) {
        Node leaf = new Node(range);
        leaf.numbers.add(number);
        return leaf;
      }
      int shared = sharedBits(node.range, range);
      if (shared < node.range.prefix()) {
        Address network = range.network();
        Node branch = new Node(new Cidr(network.masked(shared), shared));
        branch.children[node.range.network().bit(shared)] = node;
        return inserted(branch, range, number);
      }
      if (range.prefix() == node.range.prefix()) {
        node.numbers.add(number);
      } else {
        int side = range.network().bit(shared);
        node.children[side] = inserted(node.children[side], range, number);
      }
      return node;
    }

    private static int sharedBits(Cidr a, Cidr b) {
      int most = Math.min(a.prefix(), b.prefix());
      int shared = 0;
      while (shared < most && a.network().bit(shared) == b.network().bit(shared)) {
        shared++;
      }
      return shared;
    }
  }

  /** Whether any range contains the address. */
  boolean containsAny(Address address) {
    Node node = address.isV4() ? v4 : v6;
    while (node != null && node.range.contains(address)) {
      if (!node.numbers.isEmpty()) {
        return true;
      }
      int prefix = node.range.prefix();
      node = prefix == address.bits() ? null : node.children[address.bit(prefix)];
    }
    return false;
  }

  /** Adds the numbers of all ranges that contain the address. */
  void match(Address address, IntBag found) {
    Node node = address.isV4() ? v4 : v6;
    while (node != null && node.range.contains(address)) {
      for (int i = 0; i < node.numbers.size(); i++) {
        found.add(node.numbers.get(i));
      }
      int prefix = node.range.prefix();
      node = prefix == address.bits() ? null : node.children[address.bit(prefix)];
    }
  }
}
