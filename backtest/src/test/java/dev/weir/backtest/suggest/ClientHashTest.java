package dev.weir.backtest.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ClientHashTest {

  /** As the definition has it. */
  private static long slowly(RandomGenerator random, String text) {
    BigInteger prime = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);
    BigInteger place = BigInteger.valueOf(random.nextLong(2, ClientHash.PRIME));
    BigInteger factor = BigInteger.valueOf(random.nextLong(1, ClientHash.PRIME));
    BigInteger start = BigInteger.valueOf(random.nextLong(ClientHash.PRIME));
    BigInteger sum = BigInteger.valueOf(text.length() + 1L);
    for (int i = 0; i < text.length(); i++) {
      sum = sum.multiply(place).add(BigInteger.valueOf(text.charAt(i))).mod(prime);
    }
    return sum.multiply(factor).add(start).mod(prime).longValueExact();
  }

  @Test
  void isThePolynomialModuloThePrime() {
    for (int seed = 0; seed < 2_000; seed++) {
      String text =
          Long.toString(new SplittableRandom(seed).nextLong(), 36) + "\uffff".repeat(seed % 9);
      assertThat(new ClientHash(new SplittableRandom(seed)).of(text))
          .as("seed %d", seed)
          .isEqualTo(slowly(new SplittableRandom(seed), text))
          .isBetween(0L, ClientHash.PRIME - 1);
    }
  }

  @Test
  void spreadsNamesThatHardlyDiffer() {
    ClientHash hash = new ClientHash(new Random(7));
    Set<Long> different = new HashSet<>();
    int low = 0;
    for (int i = 0; i < 100_000; i++) {
      long hashed = hash.of("ip:10.0." + i / 256 + "." + i % 256);
      different.add(hashed);
      low += hashed < ClientHash.PRIME / 8 ? 1 : 0;
    }
    assertThat(different).hasSize(100_000);
    assertThat(low).isBetween(11_500, 13_500);
  }
}
