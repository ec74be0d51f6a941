package dev.weir.spring.guide;

import dev.weir.spring.RateLimit;
import org.springframework.stereotype.Service;

@Service
class Quotes {
  @RateLimit(value = "50/s fixed_window", key = "'all'", fallback = "lastQuote")
  public String quote() {
    return "new";
  }

  String lastQuote() {
    return "old";
  }
}
