package dev.weir.policy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A compiled {@link ClientSet}: says quickly whether a client is in it. */
final class Members {
  private final Set<String> users;
  private final Set<String> keys;
  private final AddressTrie addresses;
  private final boolean isEmpty;

  Members(ClientSet clients) {
    this.users = new HashSet<>(clients.users());
    this.keys = new HashSet<>(clients.keys());
    AddressTrie.Builder trie = new AddressTrie.Builder();
    List<Cidr> ips = clients.ips();
    for (int i = 0; i < ips.size(); i++) {
      trie.add(ips.get(i), i);
    }
    this.addresses = trie.build();
    this.isEmpty = users.isEmpty() && keys.isEmpty() && ips.isEmpty();
  }

  boolean contains(Client client) {
    if (isEmpty) {
      return false;
    }
    if (client.user() != null && users.contains(client.user())) {
      return true;
    }
    if (client.key() != null && keys.contains(client.key())) {
      return true;
    }
    Address address = client.address();
    return address != null && addresses.containsAny(address);
  }
}
