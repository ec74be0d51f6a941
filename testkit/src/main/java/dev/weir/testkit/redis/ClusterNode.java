package dev.weir.testkit.redis;

import java.util.BitSet;
import java.util.List;

/** A line of CLUSTER NODES: a node as another one sees it. */
record ClusterNode(String id, int port, List<String> flags, boolean linked, BitSet slots) {

  private static final int FIRST_SLOT_FIELD = 8;

  static List<ClusterNode> parse(String nodes) {
    return nodes.lines().map(ClusterNode::parseLine).toList();
  }

  private static ClusterNode parseLine(String line) {
    String[] fields = line.split(" ", -1);
    String address = fields[1];
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@')));
    BitSet slots = new BitSet();
    for (int i = FIRST_SLOT_FIELD; i < fields.length; i++) {
      addSlots(fields[i], slots);
    }
    return new ClusterNode(
        fields[0], port, List.of(fields[2].split(",", -1)), fields[7].equals("connected"), slots);
  }

  private static void addSlots(String field, BitSet slots) {
    if (field.startsWith("[")) {
      return; // a slot on its way, which is listed under its owner too
    }
    String[] range = field.split("-", -1);
    int first = Integer.parseInt(range[0]);
    slots.set(first, Integer.parseInt(range[range.length - 1]) + 1);
  }

  boolean isMyself() {
    return flags.contains("myself");
  }

  boolean isMaster() {
    return flags.contains("master");
  }

  /** Whether it is neither being met nor thought to be down. */
  boolean isHealthy() {
    return (linked || isMyself())
        && flags.stream().allMatch(List.of("myself", "master", "slave")::contains);
  }
}
