package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest(name = "T9, T10: {0} is {1}")
  @CsvSource({
    "1.2.3.4, 1.2.3.4",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "127.0.0.1, 127.0.0.1",
    "::ffff:1.2.3.4, 1.2.3.4",
    "::ffff:102:304, 1.2.3.4",
    "::FFFF:0102:0304, 1.2.3.4",
    "0:0:0:0:0:ffff:1.2.3.4, 1.2.3.4",
    "0000:0000:0000:0000:0000:ffff:0102:0304, 1.2.3.4",
    "::ffff:1.2.3.4%eth0, 1.2.3.4",
    "0::ffff:102:304, 1.2.3.4",
    "64:ff9b::1.2.3.4, 1.2.3.4",
    "64:ff9b::102:304, 1.2.3.4",
    "0064:FF9B:0:0:0:0:1.2.3.4, 1.2.3.4",
    "64:ff9b:0:0:0:0:0:0, 0.0.0.0",
    "::, ::",
    "0:0:0:0:0:0:0:0, ::",
    "::1, ::1",
    "0:0:0:0:0:0:0:1, ::1",
    "::1.2.3.4, ::102:304",
    "::fffe:1.2.3.4, ::fffe:102:304",
    "::ffff:0:1.2.3.4, ::ffff:0:102:304",
    "64:ff9b:1::1.2.3.4, 64:ff9b:1::102:304",
    "64:ff9b::1:102:304, 64:ff9b::1:102:304",
    "2001:db8::1, 2001:db8::1",
    "2001:0DB8:0:0::0001, 2001:db8::1",
    "2001:db8:0:0:0:0:0:1, 2001:db8::1",
    "2001:db8::1.2.3.4, 2001:db8::102:304",
    "2002:102:304::1, 2002:102:304::1",
    "fe80::1%eth0, fe80::1",
    "fe80::1%25, fe80::1",
    "fe80::1%azAZ09, fe80::1",
    "::0.0.0.0, ::",
    "::ffff:0.0.0.0, 0.0.0.0",
    "fe80::1%en_0.1-a~b, fe80::1",
    "FE80::A, fe80::a",
    "1::, 1::",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "1:2:3::5:6:7:8, 1:2:3:0:5:6:7:8",
    "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
    "0:0:1:0:0:0:1:0, 0:0:1::1:0",
    "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  })
  void everySpellingOfAnAddressIsThatAddress(String text, String canonical) {
    Address address = Address.parse(text);

    assertThat(address).hasToString(canonical).isEqualTo(Address.parse(canonical));
    assertThat(address.isV4()).isEqualTo(canonical.indexOf(':') < 0);
    assertThat(address.bits()).isEqualTo(address.isV4() ? 32 : 128);
  }

  @ParameterizedTest(name = "T10: \"{0}\" is no address")
  @ValueSource(
      strings = {
        "",
        " ",
        "010.0.0.1",
        "1.2.3.04",
        "00.0.0.0",
        "0x7f.0.0.1",
        "2130706433",
        "127.1",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.999",
        "1.2.3.1000",
        "-1.2.3.4",
        "+1.2.3.4",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.4\n",
        "1.2.3.4\0",
        "1.2.3.4%00",
        "1.2.3.4%eth0",
        "1.2.3.4:5",
        "1.2.3.4/32",
        "١.٢.٣.٤",
        "１.2.3.4",
        ":",
        ":::",
        "::1::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1::2:3:4:5:6:7:8",
        ":1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:",
        "1:2:3:4:5:6:7:8:",
        ":1::",
        "12345::",
        "::00001",
        "::g",
        "::１",
        "::-1",
        "::1.2.3",
        "::1.2.3.04",
        "::1.2.3.256",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::ffff:010.0.0.1",
        "::ffff:a.2.3.4",
        "fe80::1%",
        "%eth0",
        "fe80%eth0::1",
        "fe80::1%eth0:1",
        "fe80::1%eth 0",
        "fe80::1%é",
        "fe80::1%@",
        "fe80::1%[",
        "fe80::1%`",
        "fe80::1%{",
        "[::1]",
        "[2001:db8::1]:443",
        "::1/128",
        "localhost",
        "example.org",
        "unknown",
        "_hidden",
        "cafe",
      })
  void refusesWhatIsNoAddress(String text) {
    assertThat(Address.parseOrNull(text)).isNull();
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"" + text + "\" is no address, for example 203.0.113.7 or 2001:db8::1");
  }

  @Test
  void refusesTextsThatAreTooLong() {
    assertThat(Address.parseOrNull("::1%" + "z".repeat(96))).isEqualTo(Address.parse("::1"));
    assertThat(Address.parseOrNull("::1%" + "z".repeat(97))).isNull();
    assertThat(Address.parseOrNull("1".repeat(1_000_000))).isNull();
  }

  @Test
  void refusesAnIpv4AddressOfMoreThan32Bits() {
    assertThat(new Address(0, 0xffff_ffffL, true)).hasToString("255.255.255.255");
    assertThatThrownBy(() -> new Address(0, 0x1_0000_0000L, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an IPv4 address must have 32 bits");
    assertThatThrownBy(() -> new Address(1, 0, true))
        .hasMessage("an IPv4 address must have 32 bits");
  }

  @Test
  void masksAllBitsAfterThePrefix() {
    Address v4 = Address.parse("203.0.113.255");
    Address v6 = Address.parse("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff");

    assertThat(v4.masked(0)).hasToString("0.0.0.0");
    assertThat(v4.masked(1)).hasToString("128.0.0.0");
    assertThat(v4.masked(28)).hasToString("203.0.113.240");
    assertThat(v4.masked(32)).isEqualTo(v4);
    assertThat(v6.masked(0)).hasToString("::");
    assertThat(v6.masked(47)).hasToString("2001:db8:fffe::");
    assertThat(v6.masked(64)).hasToString("2001:db8:ffff:ffff::");
    assertThat(v6.masked(65)).hasToString("2001:db8:ffff:ffff:8000::");
    assertThat(v6.masked(127)).hasToString("2001:db8:ffff:ffff:ffff:ffff:ffff:fffe");
    assertThat(v6.masked(128)).isEqualTo(v6);
  }

  @Test
  void refusesPrefixesThatTheAddressDoesNotHave() {
    assertThatThrownBy(() -> Address.parse("10.0.0.1").masked(33))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefix must be between 0 and 32, got 33");
    assertThatThrownBy(() -> Address.parse("::1").masked(129))
        .hasMessage("prefix must be between 0 and 128, got 129");
    assertThatThrownBy(() -> Address.parse("::1").masked(-1))
        .hasMessage("prefix must be between 0 and 128, got -1");
  }

  @Test
  void bitsAreCountedFromTheLeft() {
    assertThat(Address.parse("128.0.0.1").bit(0)).isEqualTo(1);
    assertThat(Address.parse("128.0.0.1").bit(1)).isZero();
    assertThat(Address.parse("128.0.0.1").bit(31)).isEqualTo(1);
    assertThat(Address.parse("8000::1").bit(0)).isEqualTo(1);
    assertThat(Address.parse("0:0:0:1::").bit(63)).isEqualTo(1);
    assertThat(Address.parse("0:0:0:1::").bit(64)).isZero();
    assertThat(Address.parse("::8000:0:0:0").bit(64)).isEqualTo(1);
    assertThat(Address.parse("8000::1").bit(127)).isEqualTo(1);
  }

  @Test
  void whatIsPrintedIsReadBack() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      Address address = AddressSpellings.randomAddress(random);

      assertThat(Address.parse(address.toString())).isEqualTo(address);
      assertThat(Address.parse(AddressSpellings.spell(address, random))).isEqualTo(address);
    }
  }

  @Test
  void mutatedTextsAreReadOrRefusedAndNeverThrow() {
    SplittableRandom random = new SplittableRandom(11);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      String text = AddressSpellings.mutated(random);
      Address address = Address.parseOrNull(text);
      if (address != null) {
        read++;
        assertThat(Address.parse(address.toString())).as(text).isEqualTo(address);
      }
    }
    assertThat(read).isBetween(2_000, 18_000);
  }

  @Test
  void readsAnyCharSequence() {
    assertThat(Address.parseOrNull(CharBuffer.wrap("x10.0.0.1").subSequence(1, 9)))
        .isEqualTo(Address.parse("10.0.0.1"));
  }

  @Test
  @DisplayName("T8: addresses of one prefix are one client")
  void addressesOfOnePrefixAreOneClient() {
    Set<String> ids = new HashSet<>();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      ids.add(Client.at(new Address(0x2001_0db8_0000_0001L, random.nextLong(), false), 64).id());
    }

    assertThat(ids).containsExactly("ip:2001:db8:0:1::/64");
    assertThat(Client.at(Address.parse("2001:db8:0:2::1"), 64).id())
        .isEqualTo("ip:2001:db8:0:2::/64");
    assertThat(Client.at(Address.parse("2001:db8::1"), 128).id()).isEqualTo("ip:2001:db8::1");
    assertThat(Client.at(Address.parse("2001:db8::1"), 32).id()).isEqualTo("ip:2001:db8::/32");
  }

  @Test
  @DisplayName("T9: mapped addresses are the client of their IPv4 address")
  void mappedAddressesAreTheClientOfTheirIpv4Address() {
    for (String text : List.of("1.2.3.4", "::ffff:1.2.3.4", "::ffff:102:304", "64:ff9b::102:304")) {
      assertThat(Client.at(Address.parse(text), 64).id()).as(text).isEqualTo("ip:1.2.3.4");
    }
    assertThat(Client.at(Address.parse("::ffff:1.2.3.5"), 64).id()).isEqualTo("ip:1.2.3.5");
  }
}
