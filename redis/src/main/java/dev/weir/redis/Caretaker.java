package dev.weir.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks after one server, off the way of requests: reads its INFO for settings that lose counters
 * and for evictions, and finds out when all counters are gone.
 *
 * <p>For that it keeps a marker there, a key of its own that lives for a minute and is written anew
 * at every look, by a command that also tells whether it was still there. If it was not, although
 * it was written less than a minute ago, somebody has deleted all keys, or the server has come back
 * without them. Each store has a marker of its own: one of many stores that found the marker gone
 * would hide that from the others.
 */
final class Caretaker {
  private static final System.Logger LOGGER = System.getLogger(Caretaker.class.getName());

  /** What was refused is asked for again so seldom that nobody minds. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long ALERT_NANOS = Duration.ofMinutes(1).toNanos();

  private static final Duration MARKER_LIFE = Duration.ofSeconds(60);

  /** Less than it lives, as clocks do not all run alike. */
  private static final long SURELY_THERE_NANOS = MARKER_LIFE.minusSeconds(10).toNanos();

  private final String target;
  private final boolean isFailedOver;
  private final Supplier<String> markerName;
  private final Runnable onLoss;
  private final long checkNanos;

  /** Only tick() uses them. */
  private @Nullable Connection lookedOver;

  private long lookedAt;

  private volatile @Nullable Look underWay;
  private volatile @Nullable Refusal infoRefusal;
  private volatile @Nullable Refusal markerRefusal;

  /** The error that the server replied to the last write of the marker; null if it took it. */
  private volatile @Nullable String writeError;

  private volatile Known known = new Known(null, List.of(), 0);
  private volatile @Nullable String lastFailure;

  /** Guarded by this, as only looked() uses them. */
  private @Nullable Look lastMarked;

  private @Nullable Long alertedAt;

  /** A look that has been sent. */
  private record Look(String markerName, long sentAt) {}

  /** What came of a question: a value or a failure; neither, if it was not asked. */
  private record Answer<T>(@Nullable T value, @Nullable Throwable failure) {}

  /** That the server will not have a command of ours. */
  private record Refusal(String reply, long at) {}

  /** What is known of the server. */
  private record Known(@Nullable ServerInfo info, List<String> warnings, long losses) {}

  /**
   * A caretaker.
   *
   * @param target what to call the server in messages
   * @param isFailedOver whether another server takes over when it fails
   * @param markerName the key of the marker, asked for at every look; it must be one that the
   *     server is in charge of and that nobody else uses
   * @param onLoss what else to do when the counters are gone; a thread of the client does it
   * @param timings how often to look
   */
  Caretaker(
      String target,
      boolean isFailedOver,
      Supplier<String> markerName,
      Runnable onLoss,
      Timings timings) {
    this.onLoss = onLoss;
    this.checkNanos = timings.check().toNanos();
    this.target = target;
    this.isFailedOver = isFailedOver;
    this.markerName = markerName;
  }

  /** Takes note of why something failed. */
  void failed(String message) {
    lastFailure = message;
  }

  /** For how long a look has been without an answer. */
  long unansweredNanos(long now) {
    Look look = underWay;
    return look == null ? 0 : now - look.sentAt;
  }

  RedisHealth.Server health(boolean isReachable) {
    Known now = known;
    return new RedisHealth.Server(
        target,
        isReachable,
        Optional.ofNullable(writeError),
        Optional.ofNullable(now.info).map(ServerInfo::version).map(ServerVersion::toString),
        now.warnings,
        now.info == null ? 0 : now.info.evictedKeys(),
        now.losses,
        Optional.ofNullable(lastFailure));
  }

  /**
   * Looks if it is time to; never waits. Called again and again by one thread, while the server
   * answers.
   */
  void tick(Connection connection, long now) {
    boolean isNew = connection != lookedOver;
    if (!isNew && (underWay != null || now - lookedAt < checkNanos)) {
      return;
    }
    lookedOver = connection;
    lookedAt = now;
    Look look = new Look(markerName.get(), now);
    underWay = look;
    // In this order: what was evicted before the marker was looked for is told by INFO.
    byte[] key = look.markerName.getBytes(StandardCharsets.UTF_8);
    CompletionStage<Answer<Boolean>> marker =
        ask(markerRefusal, now, () -> connection.mark(key, MARKER_LIFE));
    CompletionStage<Answer<String>> info = ask(infoRefusal, now, connection::info);
    marker
        .thenAcceptBoth(info, (wasThere, told) -> looked(look, wasThere, told))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a look at Redis at " + target + " failed",
                    failure);
              }
            });
  }

  /** Asks, unless that was refused a moment ago; fails by its answer only. */
  private static <T> CompletionStage<Answer<T>> ask(
      @Nullable Refusal refusal, long now, Supplier<CompletionStage<T>> question) {
    if (refusal != null && now - refusal.at < AGAIN_NANOS) {
      return CompletableFuture.completedStage(new Answer<>(null, null));
    }
    try {
      return question.get().handle(Answer::new);
    } catch (RuntimeException failure) {
      return CompletableFuture.completedStage(new Answer<>(null, failure));
    }
  }

  private void looked(Look look, Answer<Boolean> wasThere, Answer<String> told) {
    boolean isLost;
    synchronized (this) {
      if (!look.equals(underWay)) {
        // It went over a connection that was replaced since.
        return;
      }
      underWay = null;
      Known before = known;
      ServerInfo info = told.value == null ? null : new ServerInfo(told.value);
      String loss = lossIn(look, wasThere, before.info, info);
      isLost = loss != null;
      if (loss != null) {
        LOGGER.log(System.Logger.Level.WARNING, loss, target);
      }
      if (wasThere.value != null) {
        lastMarked = look;
      }
      alertToEvictions(before.info, info, look.sentAt);
      infoRefusal = refusal(infoRefusal, told, look.sentAt);
      markerRefusal = refusal(markerRefusal, wasThere, look.sentAt);
      writeError = writeError(writeError, wasThere);
      ServerInfo latest = info == null ? before.info : info;
      Known now = new Known(latest, warnings(latest), before.losses + (isLost ? 1 : 0));
      // Said before it can be seen: who sees a new warning finds it in the log.
      sayNew(before.warnings, now.warnings);
      known = now;
    }
    if (isLost) {
      onLoss.run();
    }
  }

  /** What to say about counters that are gone; null if they are not known to be. */
  private @Nullable String lossIn(
      Look look, Answer<Boolean> wasThere, @Nullable ServerInfo before, @Nullable ServerInfo info) {
    Look last = lastMarked;
    if (wasThere.value == null
        || wasThere.value
        || last == null
        || !last.markerName.equals(look.markerName)
        || System.nanoTime() - last.sentAt > SURELY_THERE_NANOS) {
      return null;
    }
    if (before != null && info != null && !info.isSameRun(before)) {
      return isFailedOver
          ? "Redis at {0} was replaced by a server without its counters, or has lost them"
          : "Redis at {0} has restarted without its counters";
    }
    // Then it is more likely that the marker was evicted, which is told as such.
    return evicted(before, info) > 0 ? null : "the counters on Redis at {0} were wiped";
  }

  /** How many keys were evicted between these two. */
  private static long evicted(@Nullable ServerInfo before, @Nullable ServerInfo info) {
    return before == null || info == null || !info.isSameRun(before)
        ? 0
        : info.evictedKeys() - before.evictedKeys();
  }

  private void alertToEvictions(@Nullable ServerInfo before, @Nullable ServerInfo info, long now) {
    long evicted = evicted(before, info);
    Long alerted = alertedAt;
    if (evicted > 0 && (alerted == null || now - alerted > ALERT_NANOS)) {
      alertedAt = now;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Redis at {0} throws keys away for want of memory, {1} since the last look; clients whose"
              + " counters are among them start anew",
          target,
          evicted);
    }
  }

  /** An error by which the server says that it will not; others come and go. */
  private static @Nullable Refusal refusal(@Nullable Refusal before, Answer<?> answer, long now) {
    if (answer.value != null) {
      return null;
    }
    String reply = ErrorReply.in(answer.failure);
    return reply != null && (reply.startsWith("NOPERM") || reply.startsWith("ERR"))
        ? new Refusal(reply, now)
        : before;
  }

  /** If there was no reply, the one before is the best that is known. */
  private static @Nullable String writeError(@Nullable String before, Answer<?> answer) {
    if (answer.value != null) {
      return null;
    }
    String reply = ErrorReply.in(answer.failure);
    return reply == null ? before : reply;
  }

  private List<String> warnings(@Nullable ServerInfo info) {
    List<String> warnings = new ArrayList<>();
    if (info != null) {
      warnings.addAll(info.warnings(isFailedOver));
    }
    Refusal noInfo = infoRefusal;
    if (noInfo != null) {
      warnings.add(
          "INFO is refused, so that its settings and evictions stay unknown: " + noInfo.reply);
    }
    Refusal noMarker = markerRefusal;
    if (noMarker != null) {
      warnings.add(
          "the marker is refused, so that a loss of counters stays unknown: " + noMarker.reply);
    }
    return List.copyOf(warnings);
  }

  private void sayNew(List<String> before, List<String> now) {
    for (String warning : now) {
      if (!before.contains(warning)) {
        LOGGER.log(System.Logger.Level.WARNING, "Redis at {0}: {1}", target, warning);
      }
    }
  }
}
