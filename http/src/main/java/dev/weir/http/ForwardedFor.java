package dev.weir.http;

import dev.weir.policy.Address;
import dev.weir.policy.Cidr;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client behind proxies by its address.
 *
 * <p>Only what a trusted proxy says counts. {@code X-Forwarded-For} is read from the right, since
 * every proxy appends the address that it sees: the first one that is not a trusted proxy is the
 * client. What stands left of it was sent by the client and may be invented.
 */
final class ForwardedFor {
  private static final System.Logger LOGGER = System.getLogger(ForwardedFor.class.getName());
  private static final int MOST_HOPS = 50;
  private static final int MOST_CHARACTERS = 8_192;
  private static final Peer NOBODY = new Peer("", null, Client.unknown(), false);

  private final List<Cidr> trusted;
  private final int depth;
  private final int ipv6Prefix;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /**
   * Most requests come by way of the same proxy as the one before. Plain: any that was is right.
   */
  private Peer latest = NOBODY;

  private record Peer(String text, @Nullable Address address, Client client, boolean isTrusted) {}

  /**
   * A finder.
   *
   * @param trusted the addresses of trusted proxies
   * @param depth how many trusted proxies may stand in the list
   * @param ipv6Prefix IPv6 clients with equal first bits, so many, are one
   */
  ForwardedFor(List<Cidr> trusted, int depth, int ipv6Prefix) {
    this.trusted = List.copyOf(trusted);
    this.depth = depth;
    this.ipv6Prefix = ipv6Prefix;
  }

  /** The client; the unknown one if not even the peer's address is known. */
  Client client(@Nullable String peerText, Headers headers) {
    Peer peer = peerText == null ? NOBODY : peer(peerText);
    Address address = peer.address;
    if (address == null || !peer.isTrusted) {
      return peer.client;
    }
    List<String> lines = headers.values("x-forwarded-for");
    if (lines.isEmpty()) {
      warnOfOtherField(headers);
      Address real = address(String.join(",", headers.values("x-real-ip")));
      return real == null ? peer.client : at(real);
    }
    return at(walk(hops(lines), address));
  }

  private Client at(Address address) {
    return Client.at(address, ipv6Prefix);
  }

  /** Whether that address is one of a trusted proxy. */
  boolean isTrusted(@Nullable String peerText) {
    return peerText != null && peer(peerText).isTrusted;
  }

  private Peer peer(String text) {
    Peer peer = latest;
    if (!peer.text.equals(text)) {
      Address address = address(text);
      peer =
          address == null
              ? new Peer(text, null, Client.unknown(), false)
              : new Peer(text, address, at(address), isTrusted(address));
      latest = peer;
    }
    return peer;
  }

  /** {@code Forwarded} (RFC 7239) is not read; who relies on it should hear of that, once. */
  private void warnOfOtherField(Headers headers) {
    if (!hasWarned.get()
        && !headers.values("forwarded").isEmpty()
        && hasWarned.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a trusted proxy sends Forwarded, which is ignored; let it send X-Forwarded-For");
    }
  }

  private boolean isTrusted(Address address) {
    for (Cidr range : trusted) {
      if (range.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private Address walk(List<String> hops, Address peer) {
    Address last = peer;
    for (int i = hops.size() - 1, skipped = 0; i >= 0; i--) {
      Address hop = address(hops.get(i));
      if (hop == null) {
        return last;
      }
      if (skipped == depth || !isTrusted(hop)) {
        return hop;
      }
      skipped++;
      last = hop;
    }
    return last;
  }

  private static List<String> hops(List<String> lines) {
    List<String> hops = new ArrayList<>();
    int characters = 0;
    for (String line : lines) {
      characters += line.length();
      if (characters > MOST_CHARACTERS) {
        throw new MalformedRequestException(
            "X-Forwarded-For", "must be at most " + MOST_CHARACTERS + " characters long");
      }
      if (lines.size() == 1 && line.indexOf(',') < 0) {
        return lines;
      }
      hops.addAll(List.of(line.split(",", -1)));
      if (hops.size() > MOST_HOPS) {
        throw new MalformedRequestException(
            "X-Forwarded-For", "must have at most " + MOST_HOPS + " hops, got " + hops.size());
      }
    }
    return hops;
  }

  /** An address, perhaps in brackets or with a port; null if it is none. */
  private static @Nullable Address address(String text) {
    Address plain = Address.parseOrNull(text);
    return plain == null ? addressInOtherForm(text) : plain;
  }

  private static @Nullable Address addressInOtherForm(String text) {
    String trimmed = trimmed(text);
    if (trimmed.startsWith("[")) {
      int end = trimmed.indexOf(']');
      // Only IPv6 is written in brackets; an IPv4 address in them is written as mapped.
      boolean isV6 = end > 0 && trimmed.substring(0, end).indexOf(':') > 0;
      return isV6 && isPortOrNothing(trimmed.substring(end + 1))
          ? Address.parseOrNull(trimmed.substring(1, end))
          : null;
    }
    int colon = trimmed.indexOf(':');
    boolean isV4WithPort = colon >= 0 && colon == trimmed.lastIndexOf(':');
    if (isV4WithPort) {
      return isPortOrNothing(trimmed.substring(colon))
          ? Address.parseOrNull(trimmed.substring(0, colon))
          : null;
    }
    return Address.parseOrNull(trimmed);
  }

  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && (text.charAt(start) == ' ' || text.charAt(start) == '\t')) {
      start++;
    }
    while (start < end && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '\t')) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isPortOrNothing(String text) {
    if (text.isEmpty()) {
      return true;
    }
    if (text.charAt(0) != ':' || text.length() < 2 || text.length() > 6) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
