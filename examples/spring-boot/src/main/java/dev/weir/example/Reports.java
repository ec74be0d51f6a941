package dev.weir.example;

import dev.weir.spring.RateLimit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Service;

/** Makes reports, which takes long: each customer may have three a minute, however they ask. */
@Service
class Reports {
  private final AtomicLong made = new AtomicLong();

  @RateLimit(value = "3/m", key = "#customer")
  public Report of(String customer) {
    return new Report(customer, made.incrementAndGet());
  }

  /** A report, and its number. */
  record Report(String customer, long number) {}
}
