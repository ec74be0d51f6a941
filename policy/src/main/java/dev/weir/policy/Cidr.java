package dev.weir.policy;

/**
 * A range of addresses that share their first bits: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or
 * one address.
 *
 * @param network the first address of the range
 * @param prefix how many bits are shared
 */
public record Cidr(Address network, int prefix) {
  public Cidr {
    if (prefix < 0 || prefix > network.bits()) {
      throw new IllegalArgumentException(
          "the prefix of %s must be between 0 and %d, got %d"
              .formatted(network, network.bits(), prefix));
    }
    if (!network.masked(prefix).equals(network)) {
      throw new IllegalArgumentException(
          "%s/%d has bits beyond its prefix; write %s/%d"
              .formatted(network, prefix, network.masked(prefix), prefix));
    }
  }

  /**
   * The range that the text means; an address alone is a range of one.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    Address network = Address.parseOrNull(slash < 0 ? text : text.substring(0, slash));
    if (network == null) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no range of addresses, for example 10.0.0.0/8 or 2001:db8::/32");
    }
    if (slash < 0) {
      return new Cidr(network, network.bits());
    }
    String digits = text.substring(slash + 1);
    if (!digits.matches("0|[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException(
          "\"%s\": the prefix must be between 0 and %d, got \"%s\""
              .formatted(text, network.bits(), digits));
    }
    int prefix = Integer.parseInt(digits);
    boolean isMapped = network.isV4() && text.indexOf(':') >= 0;
    if (isMapped && prefix < 96) {
      throw new IllegalArgumentException(
          "\"" + text + "\" holds IPv4 addresses; write it as IPv4, for example 10.0.0.0/8");
    }
    return new Cidr(network, isMapped ? prefix - 96 : prefix);
  }

  /** Whether the address lies in the range. */
  public boolean contains(Address address) {
    return address.isV4() == network.isV4()
        && address.startsWith(network.high(), network.low(), prefix);
  }

  /** As in a rule: {@code 10.0.0.0/8}; one address without its prefix. */
  @Override
  public String toString() {
    return prefix == network.bits() ? network.toString() : network + "/" + prefix;
  }
}
