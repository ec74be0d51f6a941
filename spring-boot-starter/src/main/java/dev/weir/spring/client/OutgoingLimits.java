package dev.weir.spring.client;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How often others are asked: at most as often as is set here, host by host, and not before the
 * time that a host has named in {@code Retry-After} or {@code RateLimit}. Thread-safe.
 *
 * <pre>{@code
 * OutgoingLimits limits = OutgoingLimits.builder().limit("10/s").maxWait(Duration.ofSeconds(2)).build();
 * RestClient client = builder.requestInterceptor(new OutgoingLimitInterceptor(limits)).build();
 * WebClient other = webClientBuilder.filter(new OutgoingLimitFilter(limits)).build();
 * }</pre>
 */
public final class OutgoingLimits {
  /** A host that says more is believed so much. */
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  /** More hosts than anybody asks; those beyond are not remembered. */
  private static final int MOST_HOSTS = 10_000;

  private final @Nullable RateLimiter limiter;
  private final Duration maxWait;
  private final TimeSource time;

  /** Until when hosts want to be left alone. */
  private final Map<String, Long> pauses = new ConcurrentHashMap<>();

  private OutgoingLimits(Builder builder) {
    this.limiter = builder.hasLimit ? builder.limiter.time(builder.time).build() : null;
    this.maxWait = builder.maxWait;
    this.time = builder.time;
  }

  /** Starts with no limit but those of others, and without waiting. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Completes when the host may be asked.
   *
   * @return fails with {@link OutgoingLimitException} if that would take too long
   */
  public CompletionStage<?> permitted(String host) {
    long pauseMicros = pauseMicros(host);
    if (pauseMicros > micros(maxWait)) {
      return refused(host, "has asked for a pause", Duration.ofNanos(pauseMicros * 1_000));
    }
    if (pauseMicros == 0) {
      return acquired(host, maxWait);
    }
    CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
    time.runAfter(pauseMicros, () -> later.complete(null));
    // Others may have been told to wait meanwhile.
    Duration left = maxWait.minus(Duration.ofNanos(pauseMicros * 1_000));
    return later.thenCompose(
        done -> {
          long more = pauseMicros(host);
          return more > 0
              ? refused(host, "has asked for a pause", Duration.ofNanos(more * 1_000))
              : acquired(host, left);
        });
  }

  private CompletionStage<?> acquired(String host, Duration wait) {
    return limiter == null
        ? CompletableFuture.completedStage(true)
        : limiter
            .acquireAsync(host, 1, wait)
            .thenCompose(
                decision ->
                    decision.allowed()
                        ? CompletableFuture.completedStage(decision)
                        : refused(host, "is asked too often", wait(decision)));
  }

  private static Duration wait(Decision decision) {
    return decision.retryAfter();
  }

  private static <T> CompletionStage<T> refused(String host, String why, Duration retryAfter) {
    return CompletableFuture.failedStage(new OutgoingLimitException(host, why, retryAfter));
  }

  private long pauseMicros(String host) {
    Long until = pauses.get(host);
    if (until == null) {
      return 0;
    }
    long left = until - time.nowMicros();
    if (left <= 0) {
      pauses.remove(host, until);
      return 0;
    }
    return left;
  }

  /** Notes what a host says about how often it wants to be asked. */
  void answered(String host, int status, Fields fields) {
    Duration pause = Pause.in(status, fields, time);
    if (pause.isZero() || (pauses.size() >= MOST_HOSTS && !pauses.containsKey(host))) {
      return;
    }
    long micros = Math.min(micros(pause), micros(LONGEST_PAUSE));
    pauses.merge(host, time.nowMicros() + micros, Math::max);
  }

  private static long micros(Duration duration) {
    return Math.multiplyExact(duration.toSeconds(), 1_000_000L) + duration.toNanosPart() / 1_000;
  }

  /** The header fields of an answer. */
  @FunctionalInterface
  interface Fields {
    /** The value; several with commas between; null if there is none. */
    @Nullable String value(String name);
  }

  /** Collects what is set. */
  public static final class Builder {
    private final RateLimiter.Builder limiter = RateLimiter.builder();
    private boolean hasLimit;
    private Duration maxWait = Duration.ZERO;
    private TimeSource time = TimeSource.system();

    private Builder() {}

    /** Adds a limit such as {@code 10/s}, for each host on its own. */
    public Builder limit(String limit) {
      limiter.limit(limit);
      hasLimit = true;
      return this;
    }

    /** How long a request may wait; without it, what may not go at once fails at once. */
    public Builder maxWait(Duration wait) {
      if (wait.isNegative()) {
        throw new IllegalArgumentException("maxWait must be at least 0, got " + wait);
      }
      maxWait = wait;
      return this;
    }

    /** The clock; usually the system's. */
    public Builder time(TimeSource clock) {
      time = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /** The limits. */
    public OutgoingLimits build() {
      return new OutgoingLimits(this);
    }
  }
}
