package dev.weir.spring.method;

import dev.weir.policy.Client;
import dev.weir.policy.NamedLimits;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.spring.CurrentRequest;
import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimits;
import dev.weir.spring.reactive.RequestContext;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Lets calls of limited methods pass, or not. */
final class RateLimitInterceptor implements MethodInterceptor {
  private static final boolean IS_REACTOR_THERE =
      ClassUtils.isPresent(
          "reactor.core.publisher.Mono", RateLimitInterceptor.class.getClassLoader());

  private final Supplier<RateLimits> limits;
  private final LimitedMethods methods;

  RateLimitInterceptor(Supplier<RateLimits> limits, LimitedMethods methods) {
    this.limits = limits;
    this.methods = methods;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? Object.class : AopUtils.getTargetClass(target);
    Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
    LimitedMethod limited = methods.of(method, type);
    if (limited == null) {
      return invocation.proceed();
    }
    Class<?> returned = method.getReturnType();
    if (IS_REACTOR_THERE && Reactive.isOne(returned)) {
      return Reactive.invoke(this, limited, (ProxyMethodInvocation) invocation, returned);
    }
    Call call = new Call(limited, invocation, CurrentRequest.ofThread());
    return CompletionStage.class.isAssignableFrom(returned) ? later(call) : now(call);
  }

  /** A call that is to be decided. */
  private final class Call {
    final LimitedMethod limited;
    final MethodInvocation invocation;
    final RateLimits by;
    final Request request;
    final NamedLimits named;

    /** Whether the HTTP request was counted by the same limits on its way here. */
    final boolean isCounted;

    Call(LimitedMethod limited, MethodInvocation invocation, @Nullable Verdict current) {
      this.limited = limited;
      this.invocation = invocation;
      this.by = limits.get();
      @Nullable Object[] arguments = invocation.getArguments();
      String key = limited.key(arguments);
      Client client =
          key != null
              ? by.client(key)
              : current == null ? Client.unknown() : current.request().client();
      Request plain = current == null ? Request.of("CALL", "/", client) : current.request();
      this.request = plain.withClient(client).withCost(limited.cost(arguments));
      this.named = limited.limits(by.gate().policy(), !client.isUnknown());
      this.isCounted =
          key == null
              && current != null
              && limited.isByRule()
              && current.standings().stream()
                  .anyMatch(standing -> standing.rule().equals(named.name()));
    }

    @Nullable Object fallBack(Verdict verdict) throws Throwable {
      RateLimitExceededException refusal = new RateLimitExceededException(verdict);
      return limited.fallBack(invocation.getThis(), invocation.getArguments(), refusal);
    }
  }

  private static @Nullable Object now(Call call) throws Throwable {
    if (call.isCounted) {
      return call.invocation.proceed();
    }
    Verdict verdict = call.by.gate().check(call.request, call.named);
    return verdict.isAllowed() ? call.invocation.proceed() : call.fallBack(verdict);
  }

  private static CompletionStage<?> later(Call call) {
    if (call.isCounted) {
      return stage(call.invocation::proceed);
    }
    return call.by
        .gate()
        .checkAsync(call.request, call.named)
        .thenCompose(
            verdict ->
                verdict.isAllowed()
                    ? stage(call.invocation::proceed)
                    : stage(() -> call.fallBack(verdict)));
  }

  /** What throws. */
  private interface Work {
    @Nullable Object run() throws Throwable;
  }

  private static CompletionStage<@Nullable Object> stage(Work work) {
    try {
      Object stage = work.run();
      return stage instanceof CompletionStage<?> later
          ? later.thenApply(value -> value)
          : CompletableFuture.completedStage(null);
    } catch (CompletionException failure) {
      return CompletableFuture.failedStage(failure);
    } catch (Throwable failure) {
      return CompletableFuture.failedStage(failure);
    }
  }

  /** Not loaded where there is no Reactor. */
  private static final class Reactive {
    static boolean isOne(Class<?> type) {
      return type == Mono.class || type == Flux.class;
    }

    /** Decides anew for everybody who subscribes. */
    static Publisher<?> invoke(
        RateLimitInterceptor interceptor,
        LimitedMethod limited,
        ProxyMethodInvocation invocation,
        Class<?> returned) {
      Flux<Object> decided =
          Flux.deferContextual(
              context -> {
                Verdict current = RequestContext.verdict(context);
                Call call =
                    interceptor
                    .new Call(
                        limited,
                        invocation.invocableClone(),
                        current == null ? CurrentRequest.ofThread() : current);
                return call.isCounted
                    ? publisher(call.invocation::proceed)
                    : Mono.fromFuture(
                            () ->
                                call.by
                                    .gate()
                                    .checkAsync(call.request, call.named)
                                    .toCompletableFuture(),
                            true)
                        .flatMapMany(
                            verdict ->
                                verdict.isAllowed()
                                    ? publisher(call.invocation::proceed)
                                    : publisher(() -> call.fallBack(verdict)));
              });
      return returned == Mono.class ? Mono.from(decided) : decided;
    }

    private static Flux<Object> publisher(Work work) {
      try {
        Object publisher = work.run();
        return publisher instanceof Publisher<?> values ? Flux.from(values) : Flux.empty();
      } catch (Throwable failure) {
        return Flux.error(failure);
      }
    }
  }
}
