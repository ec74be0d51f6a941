package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FractionTest {

  @Test
  void isHeldInLowestTermsWithAPositiveDenominator() {
    assertThat(Fraction.of(6, 4)).isEqualTo(Fraction.of(3, 2)).hasToString("3/2");
    assertThat(Fraction.of(-6, 4)).isEqualTo(Fraction.of(3, -2)).hasToString("-3/2");
    assertThat(Fraction.of(0, -7)).isEqualTo(Fraction.ZERO).hasToString("0");
    assertThat(Fraction.of(14, 7)).isEqualTo(Fraction.of(2)).hasToString("2");
  }

  @Test
  void addsSubtractsAndMultipliesExactly() {
    assertThat(Fraction.of(1, 3).plus(Fraction.of(1, 6))).isEqualTo(Fraction.of(1, 2));
    assertThat(Fraction.of(1, 3).minus(Fraction.of(1, 2))).isEqualTo(Fraction.of(-1, 6));
    assertThat(Fraction.of(2, 3).times(Fraction.of(9, 4))).isEqualTo(Fraction.of(3, 2));
    assertThat(Fraction.of(1, 3).plus(1)).isEqualTo(Fraction.of(4, 3));
    assertThat(Fraction.of(1, 3).minus(1)).isEqualTo(Fraction.of(-2, 3));
    assertThat(Fraction.of(1, 3).times(3)).isEqualTo(Fraction.of(1));
  }

  @Test
  void roundsUpOnBothSidesOfZero() {
    assertThat(Fraction.of(7, 3).ceil()).isEqualTo(3);
    assertThat(Fraction.of(6, 3).ceil()).isEqualTo(2);
    assertThat(Fraction.of(-7, 3).ceil()).isEqualTo(-2);
    assertThat(Fraction.of(-1, 3).ceil()).isEqualTo(0);
    assertThat(Fraction.of(0).ceil()).isEqualTo(0);
  }

  @Test
  void comparesByValue() {
    assertThat(Fraction.of(1, 3)).isLessThan(Fraction.of(1, 2));
    assertThat(Fraction.of(-1, 3)).isGreaterThan(Fraction.of(-1, 2));
    assertThat(Fraction.of(5, 2).isAbove(2)).isTrue();
    assertThat(Fraction.of(2).isAbove(2)).isFalse();
    assertThat(Fraction.of(1, 2).max(Fraction.of(2, 3))).isEqualTo(Fraction.of(2, 3));
  }

  @Test
  void staysExactBeyondTheRangeOfALong() {
    Fraction large = Fraction.of(Long.MAX_VALUE, 3);
    Fraction square = large.times(large);
    assertThat(square.denominator()).isEqualTo(BigInteger.valueOf(9));
    assertThat(square.minus(square)).isEqualTo(Fraction.ZERO);
    assertThat(square.times(Fraction.of(3, Long.MAX_VALUE))).isEqualTo(large);
  }

  @Test
  void reducesLikeBigInteger() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long numerator = random.nextLong() >> random.nextInt(64);
      long denominator = (random.nextLong() >> random.nextInt(64)) | 1;
      BigInteger divisor = BigInteger.valueOf(numerator).gcd(BigInteger.valueOf(denominator));
      Fraction fraction = Fraction.of(numerator, denominator);
      assertThat(fraction.numerator().abs())
          .as("%d/%d", numerator, denominator)
          .isEqualTo(BigInteger.valueOf(numerator).abs().divide(divisor));
      assertThat(fraction.denominator())
          .as("%d/%d", numerator, denominator)
          .isEqualTo(BigInteger.valueOf(denominator).abs().divide(divisor));
    }
  }

  @Test
  void refusesAZeroDenominator() {
    assertThatThrownBy(() -> Fraction.of(5, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("denominator must not be 0, got 5/0");
  }
}
