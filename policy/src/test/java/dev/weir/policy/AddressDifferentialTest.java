package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Our reading of addresses compared with that of another library, on right, nearly right and wrong
 * spellings. The library is set as strictly as it can be; what it still takes and we do not is
 * listed here.
 */
class AddressDifferentialTest {
  private static final IPAddressStringParameters STRICT =
      new IPAddressStringParameters.Builder()
          .allowAll(false)
          .allowEmpty(false)
          .allowSingleSegment(false)
          .allowMask(false)
          .allowPrefix(false)
          .allowPrefixOnly(false)
          .allowWildcardedSeparator(false)
          .setRangeOptions(RangeParameters.NO_RANGE)
          .allow_inet_aton(false)
          .getIPv4AddressParametersBuilder()
          .allowLeadingZeros(false)
          .allowBinary(false)
          .getParentBuilder()
          .getIPv6AddressParametersBuilder()
          .allowBase85(false)
          .allowBinary(false)
          .allowEmptyZone(false)
          .allow_mixed_inet_aton(false)
          .getEmbeddedIPv4AddressParametersBuilder()
          .allowLeadingZeros(false)
          .allowBinary(false)
          .getEmbeddedIPv4AddressParentBuilder()
          .getParentBuilder()
          .toParams();

  /** More than four digits; the library allows any number of zeros before them. */
  private static final Pattern LONG_GROUP = Pattern.compile("(^|:)[0-9a-fA-F]{5,}(:|%|$)");

  /** A zone with characters that no interface and no URI has; the library allows any. */
  private static final Pattern ODD_ZONE = Pattern.compile("%.*[^0-9A-Za-z._~-]", Pattern.DOTALL);

  /** What the library takes the text for, in our terms; null if it refuses it. */
  private static @Nullable Address byLibrary(String text) {
    IPAddress address = new IPAddressString(text, STRICT).getAddress();
    if (address == null) {
      return null;
    }
    byte[] bytes = address.getBytes();
    long high = 0;
    long low = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i < bytes.length - 8) {
        high = high << 8 | (bytes[i] & 0xff);
      } else {
        low = low << 8 | (bytes[i] & 0xff);
      }
    }
    return address.isIPv4() ? new Address(0, low, true) : Address.ofBits(high, low);
  }

  @Test
  void bothReadEverySpelling() {
    SplittableRandom random = new SplittableRandom(21);
    for (int i = 0; i < 20_000; i++) {
      String text = AddressSpellings.spell(AddressSpellings.randomAddress(random), random);

      assertThat(Address.parseOrNull(text)).as(text).isEqualTo(byLibrary(text)).isNotNull();
    }
  }

  @Test
  void bothPrintTheSameCanonicalForm() {
    SplittableRandom random = new SplittableRandom(22);
    for (int i = 0; i < 20_000; i++) {
      Address address = AddressSpellings.randomAddress(random);
      IPAddress other = new IPAddressString(address.toString(), STRICT).getAddress();

      assertThat(address).hasToString(other.toCanonicalString());
    }
  }

  @Test
  void bothRefuseTheSameTexts() {
    SplittableRandom random = new SplittableRandom(23);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      String text = AddressSpellings.mutated(random);
      Address ours = Address.parseOrNull(text);
      if (isLaxlySpelled(text)) {
        assertThat(ours).as(text).isNull();
      } else {
        assertThat(ours).as(text).isEqualTo(byLibrary(text));
      }
      refused += ours == null ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(2_000);
  }

  /** Whether the text has one of the spellings that the library reads and we refuse. */
  private static boolean isLaxlySpelled(String text) {
    boolean hasBlanksAround = !text.equals(text.trim());
    boolean hasLongGroup = LONG_GROUP.matcher(text).find();
    boolean hasOddZone = ODD_ZONE.matcher(text).find();
    return hasBlanksAround || hasLongGroup || hasOddZone;
  }

  @ParameterizedTest
  @CsvSource({
    "' 10.0.0.1', 10.0.0.1",
    "'::1 ', ::1",
    "'::1\0', ::1",
    "00001::2, 1::2",
    "::ffff:000001, ::ffff:1",
    "fe80::1%eth 0, fe80::1",
    "fe80::1%é, fe80::1",
    "fe80::1%[, fe80::1",
  })
  void theLibraryReadsSomeTextsThatWeRefuse(String text, String byLibrary) {
    assertThat(isLaxlySpelled(text)).isTrue();
    assertThat(byLibrary(text)).isEqualTo(Address.parse(byLibrary));
    assertThat(Address.parseOrNull(text)).isNull();
  }
}
