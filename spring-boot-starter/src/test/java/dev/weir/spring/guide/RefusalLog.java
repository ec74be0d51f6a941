package dev.weir.spring.guide;

import dev.weir.policy.Verdict;
import dev.weir.spring.RateLimitRefusedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

  @EventListener
  void on(RateLimitRefusedEvent event) {
    Verdict verdict = event.verdict();
    LOG.info("{} was refused by {}", verdict.request().client(), verdict.rule());
  }
}
