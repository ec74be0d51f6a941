package dev.weir.spring.guide;

import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimits;
import org.springframework.stereotype.Component;

@Component
class Imports {
  private final RateLimits limits;

  Imports(RateLimits limits) {
    this.limits = limits;
  }

  void received(String tenant, long rows) {
    Request request = Request.of("POST", "/imports", limits.client(tenant)).withCost(rows);
    Verdict verdict = limits.check(request);
    if (!verdict.isAllowed()) {
      throw new RateLimitExceededException(verdict);
    }
  }
}
