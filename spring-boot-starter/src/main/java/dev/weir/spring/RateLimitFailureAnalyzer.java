package dev.weir.spring;

import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the properties, in place of a stack trace. */
final class RateLimitFailureAnalyzer
    extends AbstractFailureAnalyzer<RateLimitConfigurationException> {
  RateLimitFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, RateLimitConfigurationException cause) {
    String mistakes =
        cause.mistakes().stream().map(each -> "    " + each + "\n").collect(Collectors.joining());
    return new FailureAnalysis(
        "Rate limiting is not configured right:\n\n" + mistakes,
        "Change these properties; what there is to say is described with each of them.",
        cause);
  }
}
