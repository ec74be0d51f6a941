package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a Redis Cluster. A place is a slot.
 *
 * <p>Which master serves which slot is asked of any node: at first, every half minute, while a
 * master does not answer, and when a node says that a slot has moved. What a node will not do is
 * brought to the node that it names, or again a little later; it has done nothing.
 */
final class ClusterServers implements Servers, Courier.Neighbours {
  private static final System.Logger LOGGER = System.getLogger(ClusterServers.class.getName());

  private static final long REFRESH_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long HURRIED_REFRESH_NANOS = Duration.ofMillis(100).toNanos();

  /** A node without slots may be about to get some. */
  private static final long YOUTH_NANOS = Duration.ofSeconds(10).toNanos();

  /** Nobody is about to bring anything to a node that lost its last slot this long ago. */
  private static final long RETIREMENT_NANOS = Duration.ofSeconds(1).toNanos();

  /** Enough that one belongs to a node, however few slots it serves; else it has no marker. */
  private static final int MOST_TAGS = 1_000;

  /** Where a node is. */
  record Address(String host, int port) {
    /** With the user, password and TLS of another. */
    RedisURI uri(RedisURI like) {
      RedisURI uri = RedisURI.builder(like).build();
      uri.setHost(host);
      uri.setPort(port);
      return uri;
    }
  }

  /** Makes couriers. */
  interface Couriers {
    Courier to(Address address, Courier.Neighbours neighbours);
  }

  private final List<Address> seeds;
  private final Couriers factory;
  private final long patienceNanos;

  private final Map<Address, Courier> couriers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable Courier> bySlot =
      new AtomicReferenceArray<>(SlotHash.SLOT_COUNT);

  /** Has to be brought again. */
  private final Queue<Asked> later = new ConcurrentLinkedQueue<>();

  /** Couriers to nodes without slots, and since when. */
  private final Map<Courier, Long> retired = new ConcurrentHashMap<>();

  private final CompletableFuture<@Nullable Void> firstTry = new CompletableFuture<>();

  /** Whether a node has told who serves what. */
  private volatile boolean isKnown;

  private volatile boolean isRefreshing;
  private volatile boolean isStale = true;

  /** Only tick() uses it. */
  private long refreshedAt = System.nanoTime() - REFRESH_NANOS;

  /**
   * A cluster.
   *
   * @param seeds nodes to ask first
   * @param factory makes a courier for each node
   * @param patience how long a slot on the move is waited for
   */
  ClusterServers(List<Address> seeds, Couriers factory, Duration patience) {
    this.seeds = List.copyOf(seeds);
    this.factory = factory;
    this.patienceNanos = patience.toNanos();
  }

  private Courier courier(Address address) {
    return couriers.computeIfAbsent(address, absent -> factory.to(absent, this));
  }

  @Override
  public int place(String key) {
    return SlotHash.getSlot(KeyNames.tag(key));
  }

  @Override
  public void bring(Asked asked) {
    Courier courier = bySlot.get(asked.place);
    if (courier == null) {
      isStale = true;
      asked.fail(
          Kind.UNREACHABLE,
          isKnown
              ? "Redis Cluster: no node is known to serve slot " + asked.place
              : "Redis Cluster: no node has answered" + why(),
          null);
    } else {
      courier.bring(asked);
    }
  }

  /** What the nodes failed with, if anything. */
  private String why() {
    return couriers.values().stream()
        .map(Courier::health)
        .filter(node -> node.lastFailure().isPresent())
        .map(node -> node.target() + ": " + node.lastFailure().get())
        .sorted()
        .collect(Collectors.joining(", ", "; ", ""));
  }

  @Override
  public boolean isHeard(int place) {
    Courier courier = bySlot.get(place);
    return courier != null && courier.isHeard();
  }

  @Override
  public void redirected(Courier from, Asked asked, Redirect redirect) {
    if (System.nanoTime() - asked.sinceNanos > patienceNanos) {
      asked.fail(
          Kind.TRANSIENT, "Redis Cluster: slot %d is on the move".formatted(asked.place), null);
      return;
    }
    switch (redirect.kind()) {
      case MOVED -> {
        isStale = true;
        asked.isForImport = false;
        bySlot.set(asked.place, courier(address(from, redirect)));
        later.add(asked);
        bringLater();
      }
      case ASK -> {
        // Of several keys some may be there and some not; of one it is known.
        asked.isAlone = true;
        Courier next = courier(address(from, redirect));
        asked.isForImport = next.isTrusted();
        if (asked.isForImport) {
          next.bring(asked);
        } else {
          later.add(asked);
        }
      }
      case TRYAGAIN -> {
        asked.isAlone = true;
        asked.isForImport = false;
        later.add(asked);
      }
    }
  }

  @Override
  public String markerTag(Courier of) {
    String tag = "weir";
    for (int i = 0; i < MOST_TAGS && bySlot.get(SlotHash.getSlot(tag)) != of; i++) {
      tag = "weir" + i;
    }
    return tag;
  }

  private Address address(Courier from, Redirect redirect) {
    String host = redirect.host();
    if (host.isEmpty()) {
      for (Map.Entry<Address, Courier> known : couriers.entrySet()) {
        if (known.getValue() == from) {
          host = known.getKey().host;
        }
      }
    }
    return new Address(host, redirect.port());
  }

  /** Brings what waits, unless its node is still being connected to. */
  private void bringLater() {
    for (int i = later.size(); i > 0; i--) {
      Asked asked = later.poll();
      if (asked == null) {
        return;
      }
      Courier courier = bySlot.get(asked.place);
      boolean isLate = System.nanoTime() - asked.sinceNanos > patienceNanos;
      if (isLate || (courier != null && courier.isTrusted())) {
        bring(asked);
      } else if (!asked.answer.isDone()) {
        later.add(asked);
      }
    }
  }

  @Override
  public boolean isReachable() {
    return isKnown && couriers.values().stream().allMatch(Courier::isTrusted);
  }

  @Override
  public Collection<Courier> couriers() {
    return couriers.values();
  }

  @Override
  public CompletableFuture<@Nullable Void> firstTry() {
    return firstTry;
  }

  @Override
  public void tick() {
    couriers.values().forEach(Courier::tick);
    bringLater();
    long now = System.nanoTime();
    boolean isSound = !isStale && couriers.values().stream().allMatch(Courier::isTrusted);
    if (!isRefreshing && now - refreshedAt > (isSound ? REFRESH_NANOS : HURRIED_REFRESH_NANOS)) {
      refreshedAt = now;
      refresh();
    }
    retired.keySet().forEach(Courier::tick);
    retired.entrySet().removeIf(old -> isForgotten(old.getKey(), now - old.getValue()));
  }

  /** Ends a courier that nobody needs any more. */
  private static boolean isForgotten(Courier courier, long retiredNanos) {
    boolean isOver = retiredNanos > RETIREMENT_NANOS && !courier.isBusy();
    if (isOver) {
      courier.close();
    }
    return isOver;
  }

  /** Asks a node that answers who serves what. */
  private void refresh() {
    List<Courier> answering = couriers.values().stream().filter(Courier::isTrusted).toList();
    if (answering.isEmpty()) {
      seeds.forEach(this::courier);
      return;
    }
    isRefreshing = true;
    isStale = false;
    // Not always the same: it may be the one that has missed something.
    Courier one = answering.get(ThreadLocalRandom.current().nextInt(answering.size()));
    CompletionStage<?> told =
        one.slots().toCompletableFuture().orTimeout(1, TimeUnit.SECONDS).thenAccept(this::adopt);
    told.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            LOGGER.log(
                System.Logger.Level.WARNING,
                "Redis Cluster: {0} does not tell who serves what: {1}",
                one.target(),
                failure);
            isStale = true;
          }
          isRefreshing = false;
        });
  }

  private void adopt(List<Connection.SlotRange> slots) {
    Set<Courier> serving = new HashSet<>();
    for (Connection.SlotRange range : slots) {
      Courier courier = courier(new Address(range.host(), range.port()));
      serving.add(courier);
      for (int slot = range.first(); slot <= range.last(); slot++) {
        bySlot.set(slot, courier);
      }
    }
    if (serving.isEmpty()) {
      isStale = true;
      return;
    }
    isKnown = true;
    couriers
        .values()
        .removeIf(
            courier -> {
              boolean isNeeded =
                  serving.contains(courier)
                      || (courier.isTrusted() && courier.ageNanos() < YOUTH_NANOS);
              if (!isNeeded) {
                retired.put(courier, System.nanoTime());
              }
              return !isNeeded;
            });
    CompletionStage<?> tried =
        CompletableFuture.allOf(
            serving.stream().map(Courier::firstTry).toArray(CompletableFuture<?>[]::new));
    tried.whenComplete((done, failure) -> firstTry.complete(null));
  }

  @Override
  public void close() {
    couriers.values().forEach(Courier::close);
    retired.keySet().forEach(Courier::close);
    for (Asked asked = later.poll(); asked != null; asked = later.poll()) {
      asked.fail(Kind.UNREACHABLE, "the store is closed", null);
    }
  }
}
