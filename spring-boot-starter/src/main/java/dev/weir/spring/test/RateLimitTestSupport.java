package dev.weir.spring.test;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.spring.RateLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Time that stands still until a test moves it, and counters that a test can set back.
 *
 * <pre>{@code
 * @SpringBootTest
 * @Import(RateLimitTestSupport.class)
 * class ReportsTest {
 *   @Autowired RateLimitTestSupport.Control rateLimits;
 *
 *   @Test
 *   void aReportAMinute() {
 *     …
 *     rateLimits.advance(Duration.ofMinutes(1));
 *     …
 *   }
 * }
 * }</pre>
 */
@Configuration(proxyBeanMethods = false)
public class RateLimitTestSupport {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Made by Spring. */
  public RateLimitTestSupport() {}

  @Bean
  ManualTime rateLimitManualTime() {
    return TimeSource.manual(START);
  }

  @Bean
  Control rateLimitControl(ManualTime time, ObjectProvider<RateLimits> limits) {
    return new Control(time, limits::getObject);
  }

  /** What a test may do. */
  public static final class Control {
    private final ManualTime time;
    private final Supplier<RateLimits> limits;

    private Control(ManualTime time, Supplier<RateLimits> limits) {
      this.time = time;
      this.limits = limits;
    }

    /** Lets time pass. */
    public void advance(Duration duration) {
      time.advance(duration);
    }

    /** Forgets what a client has used: {@code user:alice}, {@code key:…}, {@code ip:127.0.0.1}. */
    public void reset(String client) {
      RateLimits known = limits.get();
      known.gate().reset(known.named(client)).toCompletableFuture().join();
    }
  }
}
