package dev.weir.spring.reactive;

import dev.weir.policy.Verdict;
import dev.weir.spring.CurrentRequest;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What was decided on the HTTP request that a reactive pipeline handles. */
public final class RequestContext {
  private RequestContext() {}

  /** The verdict; null if no request is being handled, or it was not decided. */
  public static @Nullable Verdict verdict(ContextView context) {
    return context.getOrDefault(CurrentRequest.VERDICT, null);
  }

  static Context with(Verdict verdict, Context context) {
    return context.put(CurrentRequest.VERDICT, verdict);
  }
}
