package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Clients named one by one or by their addresses.
 *
 * @param ips ranges of addresses
 * @param users users
 * @param keys ids of API keys
 */
public record ClientSet(List<Cidr> ips, SortedSet<String> users, SortedSet<String> keys) {
  private static final ClientSet EMPTY = new ClientSet(List.of(), new TreeSet<>(), new TreeSet<>());

  public ClientSet {
    ips = List.copyOf(ips);
    users = Sorted.copyOf(users);
    keys = Sorted.copyOf(keys);
  }

  /** Nobody. */
  public static ClientSet empty() {
    return EMPTY;
  }

  /** These users, addresses and ranges; whatever reads as an address is one. */
  public static ClientSet of(Set<String> entries) {
    List<Cidr> ips = new ArrayList<>();
    SortedSet<String> users = new TreeSet<>();
    for (String entry : new TreeSet<>(entries)) {
      boolean isRange = entry.indexOf('/') >= 0 || Address.parseOrNull(entry) != null;
      if (isRange) {
        ips.add(Cidr.parse(entry));
      } else {
        users.add(entry);
      }
    }
    return new ClientSet(ips, users, new TreeSet<>());
  }
}
