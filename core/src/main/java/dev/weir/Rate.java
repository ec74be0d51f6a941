package dev.weir;

/**
 * A refill rate as the fraction {@code permits / micros}, reduced: {@code ticksPerMicro} ticks pass
 * in a microsecond, and a permit is {@code ticksPerPermit} ticks. A permit therefore takes {@code
 * wholeMicros + restTicks / ticksPerMicro} microseconds, which is exact for every rate.
 */
record Rate(long ticksPerMicro, long ticksPerPermit) {

  static Rate of(long permits, long periodMicros) {
    long divisor = Exact.greatestCommonDivisor(permits, periodMicros);
    return new Rate(permits / divisor, periodMicros / divisor);
  }

  long wholeMicros() {
    return ticksPerPermit / ticksPerMicro;
  }

  long restTicks() {
    return ticksPerPermit % ticksPerMicro;
  }
}
