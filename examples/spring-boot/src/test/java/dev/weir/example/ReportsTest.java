package dev.weir.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.test.RateLimitTestSupport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@SpringBootTest
@Import(RateLimitTestSupport.class)
class ReportsTest {
  private final Reports reports;
  private final RateLimitTestSupport.Control rateLimits;

  @Autowired
  ReportsTest(Reports reports, RateLimitTestSupport.Control rateLimits) {
    this.reports = reports;
    this.rateLimits = rateLimits;
  }

  @Test
  void threeReportsAMinute() {
    for (int i = 0; i < 3; i++) {
      reports.of("acme");
    }
    assertThatThrownBy(() -> reports.of("acme"))
        .isInstanceOf(RateLimitExceededException.class)
        .hasMessage("rate limit exceeded, retry in 20 s");
    rateLimits.advance(Duration.ofSeconds(20));
    assertThat(reports.of("acme").number()).isEqualTo(4);
  }
}
