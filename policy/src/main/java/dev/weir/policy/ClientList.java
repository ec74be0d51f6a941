package dev.weir.policy;

import dev.weir.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients named one by one or by their addresses, changed while requests go on: those that are
 * blocked, or those that are exempt. Thread-safe.
 */
public final class ClientList {
  private final TimeSource time;
  private final Map<String, ListedClient> listed = new LinkedHashMap<>();
  private volatile Snapshot snapshot = new Snapshot(List.of());

  /** An empty list on the system's clock. */
  public ClientList() {
    this(TimeSource.system());
  }

  /** An empty list on that clock. */
  public ClientList(TimeSource time) {
    this.time = time;
  }

  /** What requests look at. */
  private static final class Snapshot {
    final List<ListedClient> entries;
    final Map<String, ListedClient> byClient = new LinkedHashMap<>();
    final List<ListedClient> byRange = new ArrayList<>();
    final AddressTrie ranges;

    Snapshot(List<ListedClient> entries) {
      this.entries = List.copyOf(entries);
      AddressTrie.Builder trie = new AddressTrie.Builder();
      for (ListedClient entry : entries) {
        if (entry.client().startsWith("ip:")) {
          trie.add(Cidr.parse(entry.client().substring("ip:".length())), byRange.size());
          byRange.add(entry);
        } else {
          byClient.put(entry.client(), entry);
        }
      }
      this.ranges = trie.build();
    }
  }

  /** Puts a client on the list, or changes its entry. */
  public synchronized void put(ListedClient entry) {
    listed.put(entry.client(), entry);
    publish();
  }

  /** Takes a client off the list; returns whether it was on it. */
  public synchronized boolean remove(String client) {
    ListedClient entry = listed.remove(new ListedClient(client, "", null).client());
    publish();
    return holding(entry) != null;
  }

  /** Makes the list say that, and nothing else. */
  public synchronized void replaceAll(List<ListedClient> entries) {
    listed.clear();
    entries.forEach(entry -> listed.put(entry.client(), entry));
    publish();
  }

  private void publish() {
    Instant now = now();
    listed.values().removeIf(entry -> !entry.holdsAt(now));
    snapshot = new Snapshot(List.copyOf(listed.values()));
  }

  /** All entries that hold now. */
  public List<ListedClient> entries() {
    Instant now = now();
    return snapshot.entries.stream().filter(entry -> entry.holdsAt(now)).toList();
  }

  /** The entry that holds for the client, or null. */
  public @Nullable ListedClient find(Client client) {
    Snapshot current = snapshot;
    if (current.entries.isEmpty()) {
      return null;
    }
    ListedClient found = holding(current.byClient.get(client.userId()));
    found = found == null ? holding(current.byClient.get(client.keyId())) : found;
    Address address = client.address();
    return found == null && address != null ? findByAddress(current, address) : found;
  }

  private @Nullable ListedClient findByAddress(Snapshot current, Address address) {
    IntBag numbers = new IntBag();
    current.ranges.match(address, numbers);
    for (int i = 0; i < numbers.size(); i++) {
      ListedClient entry = holding(current.byRange.get(numbers.get(i)));
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private @Nullable ListedClient holding(@Nullable ListedClient entry) {
    return entry != null && entry.holdsAt(now()) ? entry : null;
  }

  private Instant now() {
    return Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
  }
}
