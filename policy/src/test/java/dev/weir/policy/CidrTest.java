package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.0.0.0/8",
    "0.0.0.0/0, 0.0.0.0/0",
    "10.1.2.3, 10.1.2.3",
    "10.1.2.3/32, 10.1.2.3",
    "2001:DB8::/32, 2001:db8::/32",
    "::/0, ::/0",
    "::1, ::1",
    "::1/128, ::1",
    "::ffff:10.0.0.0/104, 10.0.0.0/8",
    "::ffff:0:0/96, 0.0.0.0/0",
    "::ffff:10.1.2.3, 10.1.2.3",
    "::ffff:10.1.2.3/128, 10.1.2.3",
    "64:ff9b::/96, 0.0.0.0/0",
    "64:ff9b::10.0.0.0/104, 10.0.0.0/8",
    "fe80::%eth0/10, fe80::/10",
  })
  void readsRangesAndPrintsThemInOneForm(String text, String canonical) {
    Cidr range = Cidr.parse(text);

    assertThat(range).hasToString(canonical).isEqualTo(Cidr.parse(canonical));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/8", "10.0.0/8", "010.0.0.0/8", "localhost/8", "10.0.0.0 /8"})
  void refusesWhatDoesNotStartWithAnAddress(String text) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"" + text + "\" is no range of addresses, for example 10.0.0.0/8 or 2001:db8::/32");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/, '', 32",
    "10.0.0.0/x, x, 32",
    "10.0.0.0/-1, -1, 32",
    "10.0.0.0/08, 08, 32",
    "10.0.0.0/+8, +8, 32",
    "10.0.0.0/8/8, 8/8, 32",
    "10.0.0.0/255.0.0.0, 255.0.0.0, 32",
    "10.0.0.0/1000, 1000, 32",
    "10.0.0.0/٨, ٨, 32",
    "2001:db8::/, '', 128",
    "2001:db8::/3 2, 3 2, 128",
  })
  void refusesPrefixesThatAreNoNumbers(String text, String prefix, int bits) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\": the prefix must be between 0 and %d, got \"%s\""
                .formatted(text, bits, prefix));
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/33, 'the prefix of 10.0.0.0 must be between 0 and 32, got 33'",
    "::/129, 'the prefix of :: must be between 0 and 128, got 129'",
    "::ffff:10.0.0.0/129, 'the prefix of 10.0.0.0 must be between 0 and 32, got 33'",
  })
  void refusesPrefixesThatAreTooLong(String text, String message) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void refusesNegativePrefixes() {
    assertThatThrownBy(() -> new Cidr(Address.parse("::"), -1))
        .hasMessage("the prefix of :: must be between 0 and 128, got -1");
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/8, 10.1.0.0/8 has bits beyond its prefix; write 10.0.0.0/8",
    "10.1.2.3/0, 10.1.2.3/0 has bits beyond its prefix; write 0.0.0.0/0",
    "2001:db8::1/64, 2001:db8::1/64 has bits beyond its prefix; write 2001:db8::/64",
    "::ffff:10.1.0.0/104, 10.1.0.0/8 has bits beyond its prefix; write 10.0.0.0/8",
  })
  void refusesBitsBeyondThePrefix(String text, String message) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"::ffff:10.0.0.0/8", "::ffff:0:0/95", "64:ff9b::/64", "64:ff9b::/32"})
  void refusesRangesThatMixIpv4AndIpv6(String text) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"" + text + "\" holds IPv4 addresses; write it as IPv4, for example 10.0.0.0/8");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "10.0.0.0/8, ::10.1.2.3, false",
    "0.0.0.0/0, 255.255.255.255, true",
    "0.0.0.0/0, ::1, false",
    "::/0, ::1, true",
    "::/0, 1.2.3.4, false",
    "::/0, ::ffff:1.2.3.4, false",
    "128.0.0.0/1, 128.0.0.0, true",
    "128.0.0.0/1, 127.255.255.255, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.2, false",
    "2001:db8::/64, 2001:db8::ffff:ffff:ffff:ffff, true",
    "2001:db8::/64, 2001:db8:0:1::, false",
    "2001:db8::/65, 2001:db8::7fff:ffff:ffff:ffff, true",
    "2001:db8::/65, 2001:db8::8000:0:0:0, false",
    "::1, ::1, true",
    "::1, ::2, false",
  })
  void containsWhatSharesItsFirstBits(String range, String address, boolean isInside) {
    assertThat(Cidr.parse(range).contains(Address.parse(address))).isEqualTo(isInside);
  }

  private static BigInteger bits(Address address) {
    return new BigInteger(Long.toUnsignedString(address.high()))
        .shiftLeft(64)
        .or(new BigInteger(Long.toUnsignedString(address.low())));
  }

  @Test
  void agreesWithArithmeticOnAllBits() {
    SplittableRandom random = new SplittableRandom(5);
    int inside = 0;
    for (int i = 0; i < 50_000; i++) {
      Address some = AddressSpellings.randomAddress(random);
      int prefix = random.nextInt(some.bits() + 1);
      Cidr range = new Cidr(some.masked(prefix), prefix);
      Address other = nearby(some, random);
      int rest = some.bits() - prefix;
      boolean expected =
          other.isV4() == some.isV4()
              && bits(other).shiftRight(rest).equals(bits(some).shiftRight(rest));

      assertThat(range.contains(some)).isTrue();
      assertThat(range.contains(other)).as("%s in %s", other, range).isEqualTo(expected);
      inside += expected ? 1 : 0;
    }
    assertThat(inside).isBetween(10_000, 40_000);
  }

  /** The address with one bit changed, or another one. */
  private static Address nearby(Address address, SplittableRandom random) {
    if (random.nextInt(8) == 0) {
      return AddressSpellings.randomAddress(random);
    }
    int bit = random.nextInt(address.bits());
    return address.isV4()
        ? new Address(0, address.low() ^ 1L << bit, true)
        : Address.ofBits(
            address.high() ^ (bit >= 64 ? 1L << (bit - 64) : 0),
            address.low() ^ (bit < 64 ? 1L << bit : 0));
  }

  @Test
  void whatIsPrintedIsReadBack() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 5_000; i++) {
      Address some = AddressSpellings.randomAddress(random);
      int prefix = random.nextInt(some.bits() + 1);
      Cidr range = new Cidr(some.masked(prefix), prefix);

      assertThat(Cidr.parse(range.toString())).isEqualTo(range);
    }
  }
}
