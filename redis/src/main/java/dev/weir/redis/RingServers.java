package dev.weir.redis;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Servers that know nothing of each other; often just one. */
final class RingServers implements Servers {
  private final List<Courier> couriers;
  private final HashRing ring;

  /**
   * A ring.
   *
   * @param couriers to the servers
   * @param pointsPerServer how many points a server has on the ring
   */
  RingServers(List<Courier> couriers, int pointsPerServer) {
    this.couriers = List.copyOf(couriers);
    this.ring = new HashRing(couriers.stream().map(Courier::target).toList(), pointsPerServer);
  }

  @Override
  public int place(String key) {
    return couriers.size() == 1 ? 0 : ring.ownerOf(key);
  }

  @Override
  public void bring(Asked asked) {
    couriers.get(asked.place).bring(asked);
  }

  @Override
  public boolean isHeard(int place) {
    return couriers.get(place).isHeard();
  }

  @Override
  public boolean isReachable() {
    return couriers.stream().allMatch(Courier::isTrusted);
  }

  @Override
  public Collection<Courier> couriers() {
    return couriers;
  }

  @Override
  public CompletableFuture<@Nullable Void> firstTry() {
    return CompletableFuture.allOf(
        couriers.stream().map(Courier::firstTry).toArray(CompletableFuture<?>[]::new));
  }

  @Override
  public void tick() {
    couriers.forEach(Courier::tick);
  }

  @Override
  public void close() {
    couriers.forEach(Courier::close);
  }
}
