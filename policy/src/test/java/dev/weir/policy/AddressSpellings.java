package dev.weir.policy;

import java.util.Locale;
import java.util.SplittableRandom;

/** Makes addresses at random, and the many ways to write them. */
final class AddressSpellings {
  private static final String NOISE = "0123456789abcdefABCDEFg:.%/[] -x\0é１";

  private AddressSpellings() {}

  /** IPv4 or IPv6, with more zeros than chance would give. */
  static Address randomAddress(SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      return new Address(0, random.nextLong() & 0xffff_ffffL, true);
    }
    return Address.ofBits(randomGroups(random), randomGroups(random));
  }

  private static long randomGroups(SplittableRandom random) {
    long bits = 0;
    for (int group = 0; group < 4; group++) {
      bits = bits << 16 | (random.nextInt(2) == 0 ? 0 : random.nextInt(1 << random.nextInt(17)));
    }
    return bits;
  }

  /** One of the spellings of the address. */
  static String spell(Address address, SplittableRandom random) {
    if (address.isV4()) {
      String prefix = random.nextBoolean() ? "::ffff:" : "64:ff9b::";
      return random.nextBoolean() ? address.toString() : prefix + address;
    }
    String[] groups = new String[8];
    for (int i = 0; i < 8; i++) {
      long half = i < 4 ? address.high() : address.low();
      String hex = Long.toHexString(half >>> (48 - 16 * (i % 4)) & 0xffff);
      String padded = "0".repeat(random.nextInt(5 - hex.length())) + hex;
      groups[i] = random.nextBoolean() ? padded : padded.toUpperCase(Locale.ROOT);
    }
    String text = random.nextBoolean() ? String.join(":", groups) : shortened(groups, random);
    return random.nextInt(4) == 0 ? text + "%eth0" : text;
  }

  /** Leaves out one run of zeros, wherever it is and however long. */
  private static String shortened(String[] groups, SplittableRandom random) {
    int from = random.nextInt(8);
    int to = from;
    while (to < 8 && groups[to].matches("0+") && (to == from || random.nextInt(4) > 0)) {
      to++;
    }
    if (to == from) {
      return String.join(":", groups);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < from; i++) {
      text.append(groups[i]).append(i < from - 1 ? ":" : "");
    }
    text.append("::");
    for (int i = to; i < 8; i++) {
      text.append(groups[i]).append(i < 7 ? ":" : "");
    }
    return text.toString();
  }

  /** A spelling with up to three characters changed, added or taken away. */
  static String mutated(SplittableRandom random) {
    StringBuilder text = new StringBuilder(spell(randomAddress(random), random));
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(text.length() + 1);
      char noise = NOISE.charAt(random.nextInt(NOISE.length()));
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, noise);
        case 1 -> text.replace(at, Math.min(text.length(), at + 1), String.valueOf(noise));
        default -> text.delete(at, Math.min(text.length(), at + 1));
      }
    }
    return text.toString();
  }
}
