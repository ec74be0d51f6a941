package dev.weir;

import java.math.BigInteger;

/** Integer arithmetic on numbers that are at least 0 and whose products may exceed 63 bits. */
final class Exact {
  private Exact() {}

  static long greatestCommonDivisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** The product, or {@code Long.MAX_VALUE} where it is larger. */
  static long multiply(long a, long b) {
    long low = a * b;
    return Math.multiplyHigh(a, b) == 0 && low >= 0 ? low : Long.MAX_VALUE;
  }

  /** Whether {@code a * b <= c * d}. */
  static boolean isProductAtMost(long a, long b, long c, long d) {
    long left = Math.multiplyHigh(a, b);
    long right = Math.multiplyHigh(c, d);
    return left == right ? Long.compareUnsigned(a * b, c * d) <= 0 : left < right;
  }

  /** {@code floor(a * b / divisor)}; the result must fit. */
  static long multiplyDivide(long a, long b, long divisor) {
    long low = a * b;
    if (Math.multiplyHigh(a, b) == 0 && low >= 0) {
      return low / divisor;
    }
    return big(a).multiply(big(b)).divide(big(divisor)).longValueExact();
  }

  /** {@code ceil((a * b + c) / divisor)}; the result must fit. */
  static long multiplyAddDivideUp(long a, long b, long c, long divisor) {
    long low = a * b + c;
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0 && low >= 0) {
      return divideUp(low, divisor);
    }
    BigInteger[] parts = big(a).multiply(big(b)).add(big(c)).divideAndRemainder(big(divisor));
    return parts[0].longValueExact() + (parts[1].signum() == 0 ? 0 : 1);
  }

  static long divideUp(long dividend, long divisor) {
    long quotient = dividend / divisor;
    return quotient * divisor == dividend ? quotient : quotient + 1;
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
