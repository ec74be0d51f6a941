package dev.weir.spring;

import dev.weir.policy.Verdict;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** What was decided on the HTTP request that is being handled. */
public final class CurrentRequest {
  /** The name of the attribute of a request that has its verdict. */
  public static final String VERDICT = CurrentRequest.class.getName() + ".VERDICT";

  private static final boolean IS_WEB_THERE =
      ClassUtils.isPresent(
          "org.springframework.web.context.request.RequestContextHolder",
          CurrentRequest.class.getClassLoader());

  private CurrentRequest() {}

  /** On the request that this thread handles; null if there is none, or it was not decided. */
  public static @Nullable Verdict ofThread() {
    return IS_WEB_THERE ? OfThread.verdict() : null;
  }

  /** Not loaded where there is no web. */
  private static final class OfThread {
    static @Nullable Verdict verdict() {
      RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
      return attributes != null
              && attributes.getAttribute(VERDICT, RequestAttributes.SCOPE_REQUEST)
                  instanceof Verdict verdict
          ? verdict
          : null;
    }
  }
}
