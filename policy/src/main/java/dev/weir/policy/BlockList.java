package dev.weir.policy;

import dev.weir.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clients that are blocked, changed while requests go on. Thread-safe. */
public final class BlockList {
  private final TimeSource time;
  private final Map<String, Block> blocks = new LinkedHashMap<>();
  private volatile Snapshot snapshot = new Snapshot(List.of());

  /** An empty list on the system's clock. */
  public BlockList() {
    this(TimeSource.system());
  }

  /** An empty list on that clock. */
  public BlockList(TimeSource time) {
    this.time = time;
  }

  /** What requests look at. */
  private static final class Snapshot {
    final List<Block> blocks;
    final Map<String, Block> byClient = new LinkedHashMap<>();
    final List<Block> byRange = new ArrayList<>();
    final AddressTrie ranges;

    Snapshot(List<Block> blocks) {
      this.blocks = List.copyOf(blocks);
      AddressTrie.Builder trie = new AddressTrie.Builder();
      for (Block block : blocks) {
        if (block.client().startsWith("ip:")) {
          trie.add(Cidr.parse(block.client().substring("ip:".length())), byRange.size());
          byRange.add(block);
        } else {
          byClient.put(block.client(), block);
        }
      }
      this.ranges = trie.build();
    }
  }

  /** Blocks a client, or changes its block. */
  public synchronized void block(Block block) {
    blocks.put(block.client(), block);
    publish();
  }

  /** Takes a block away; returns whether one held. */
  public synchronized boolean unblock(String client) {
    Block block = blocks.remove(new Block(client, "", null).client());
    publish();
    return holding(block) != null;
  }

  private void publish() {
    Instant now = now();
    blocks.values().removeIf(block -> !block.holdsAt(now));
    snapshot = new Snapshot(List.copyOf(blocks.values()));
  }

  /** All blocks that hold now. */
  public List<Block> blocks() {
    Instant now = now();
    return snapshot.blocks.stream().filter(block -> block.holdsAt(now)).toList();
  }

  /** The block that holds for the client, or null. */
  @Nullable Block find(Client client) {
    Snapshot current = snapshot;
    if (current.blocks.isEmpty()) {
      return null;
    }
    Block found = holding(current.byClient.get(client.userId()));
    found = found == null ? holding(current.byClient.get(client.keyId())) : found;
    Address address = client.address();
    return found == null && address != null ? findByAddress(current, address) : found;
  }

  private @Nullable Block findByAddress(Snapshot current, Address address) {
    IntBag numbers = new IntBag();
    current.ranges.match(address, numbers);
    for (int i = 0; i < numbers.size(); i++) {
      Block block = holding(current.byRange.get(numbers.get(i)));
      if (block != null) {
        return block;
      }
    }
    return null;
  }

  private @Nullable Block holding(@Nullable Block block) {
    return block != null && block.holdsAt(now()) ? block : null;
  }

  private Instant now() {
    return Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
  }
}
