package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExactTest {
  private static final int CASES = 20_000;
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final Random random = new Random(20_260_301);

  /** A number of 0 to 63 bits, all sizes equally likely, often at the edge of its size. */
  private long number() {
    long bits = random.nextLong() >>> (1 + random.nextInt(63));
    return random.nextInt(4) == 0 ? Long.highestOneBit(bits) - random.nextInt(2) & bits : bits;
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  @Test
  void findsGreatestCommonDivisors() {
    for (int i = 0; i < CASES; i++) {
      long a = number();
      long b = number();
      assertThat(Exact.greatestCommonDivisor(a, b)).isEqualTo(big(a).gcd(big(b)).longValue());
    }
  }

  @Test
  void multipliesUpToTheLargestLong() {
    for (int i = 0; i < CASES; i++) {
      long a = number();
      long b = number();
      BigInteger product = big(a).multiply(big(b)).min(MAX);
      assertThat(Exact.multiply(a, b)).as("%d * %d", a, b).isEqualTo(product.longValueExact());
    }
    assertThat(Exact.multiply(1L << 32, 1L << 31)).isEqualTo(Long.MAX_VALUE);
    assertThat(Exact.multiply(1L << 32, 1L << 32)).isEqualTo(Long.MAX_VALUE);
    assertThat(Exact.multiply(1L << 31, 1L << 31)).isEqualTo(1L << 62);
  }

  @Test
  void comparesProducts() {
    for (int i = 0; i < CASES; i++) {
      long a = number();
      long b = number();
      boolean swapped = random.nextInt(4) == 0;
      long c = swapped ? b : number();
      long d = swapped ? a - random.nextInt(2) : number();
      if (d >= 0) {
        assertThat(Exact.isProductAtMost(a, b, c, d))
            .as("%d * %d <= %d * %d", a, b, c, d)
            .isEqualTo(big(a).multiply(big(b)).compareTo(big(c).multiply(big(d))) <= 0);
      }
    }
  }

  @Test
  void comparesLowWordsUnsigned() {
    assertThat(Exact.isProductAtMost(1L << 32, 1L << 31, 1, Long.MAX_VALUE)).isFalse();
    assertThat(Exact.isProductAtMost(1, Long.MAX_VALUE, 1L << 32, 1L << 31)).isTrue();
  }

  @Test
  void dividesProductsDown() {
    for (int i = 0; i < CASES; i++) {
      long a = number();
      long b = number();
      long divisor = Math.max(1, number());
      BigInteger expected = big(a).multiply(big(b)).divide(big(divisor));
      if (expected.compareTo(MAX) <= 0) {
        assertThat(Exact.multiplyDivide(a, b, divisor)).isEqualTo(expected.longValueExact());
      }
    }
    assertThat(Exact.multiplyDivide(1L << 32, 1L << 31, 2)).isEqualTo(1L << 62);
  }

  @Test
  void dividesSumsUp() {
    for (int i = 0; i < CASES; i++) {
      long a = number();
      long b = number();
      long c = number();
      long divisor = Math.max(1, number());
      BigInteger[] parts = big(a).multiply(big(b)).add(big(c)).divideAndRemainder(big(divisor));
      BigInteger expected = parts[0].add(parts[1].signum() == 0 ? BigInteger.ZERO : BigInteger.ONE);
      if (expected.compareTo(MAX) <= 0) {
        assertThat(Exact.multiplyAddDivideUp(a, b, c, divisor))
            .as("ceil((%d * %d + %d) / %d)", a, b, c, divisor)
            .isEqualTo(expected.longValueExact());
      }
    }
    assertThat(Exact.multiplyAddDivideUp(1L << 31, 1L << 31, Long.MAX_VALUE, 4))
        .isEqualTo((1L << 60) + (1L << 61));
    assertThat(Exact.multiplyAddDivideUp(1L << 32, 1L << 31, 1, 2)).isEqualTo((1L << 62) + 1);
  }

  @Test
  void dividesUp() {
    LongStream.of(0, 1, 2, 7, 8, 9, Long.MAX_VALUE - 1, Long.MAX_VALUE)
        .forEach(
            dividend -> {
              assertThat(Exact.divideUp(dividend, 1)).isEqualTo(dividend);
              assertThat(Exact.divideUp(dividend, 4))
                  .isEqualTo(dividend / 4 + (dividend % 4 == 0 ? 0 : 1));
            });
  }

  @Test
  void resultsThatDoNotFitAreErrors() {
    assertThatThrownBy(() -> Exact.multiplyDivide(Long.MAX_VALUE, Long.MAX_VALUE, 2))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Exact.multiplyAddDivideUp(Long.MAX_VALUE, Long.MAX_VALUE, 0, 2))
        .isInstanceOf(ArithmeticException.class);
  }
}
