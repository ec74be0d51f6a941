package dev.weir.testkit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves slots with their keys from one master of a cluster to another, while both serve clients.
 */
final class SlotMove implements AutoCloseable {
  /** So many slots are on their way together. A node writes its config to disk once for them. */
  private static final int SLOTS_TOGETHER = 50;

  private static final String KEYS_TOGETHER = "100";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RespClient from;
  private final String fromId;
  private final RespClient to;
  private final String toId;
  private final List<RespClient> others = new ArrayList<>();
  private final List<String> migrate;
  private final List<String> migrateKeys;

  SlotMove(
      RedisServer from,
      String fromId,
      RedisServer to,
      String toId,
      List<RedisServer> others,
      @Nullable String password) {
    this.from = from.clientForBytes(TIMEOUT);
    this.fromId = fromId;
    this.to = to.clientForBytes(TIMEOUT);
    this.toId = toId;
    others.forEach(other -> this.others.add(other.clientForBytes(TIMEOUT)));
    this.migrate =
        List.of("MIGRATE", to.host(), String.valueOf(to.port()), "", "0", millis(TIMEOUT));
    this.migrateKeys = password == null ? List.of("KEYS") : List.of("AUTH", password, "KEYS");
  }

  private static String millis(Duration duration) {
    return String.valueOf(duration.toMillis());
  }

  void run(List<Integer> slots) {
    for (int i = 0; i < slots.size(); i += SLOTS_TOGETHER) {
      move(slots.subList(i, Math.min(i + SLOTS_TOGETHER, slots.size())));
    }
  }

  private void move(List<Integer> slots) {
    // The new owner first, each time: a client sent there must not be sent back.
    to.callAll(each(slots, slot -> setSlot(slot, "IMPORTING", fromId)));
    from.callAll(each(slots, slot -> setSlot(slot, "MIGRATING", toId)));
    List<@Nullable Object> first = from.callAll(each(slots, SlotMove::askForKeys));
    for (int i = 0; i < slots.size(); i++) {
      // Most slots are empty; asked for together, they cost no round trip each.
      if (first.get(i) instanceof List<?> keys && !keys.isEmpty()) {
        moveKeys(slots.get(i));
      }
    }
    List<List<String>> assign = each(slots, slot -> setSlot(slot, "NODE", toId));
    to.callAll(assign);
    from.callAll(assign);
    others.forEach(other -> other.callAll(assign));
  }

  private void moveKeys(int slot) {
    for (List<String> keys = keys(slot); !keys.isEmpty(); keys = keys(slot)) {
      List<String> command = new ArrayList<>(migrate);
      command.addAll(migrateKeys);
      command.addAll(keys);
      from.callAll(List.of(command));
    }
  }

  private List<String> keys(int slot) {
    String[] command = askForKeys(slot).toArray(String[]::new);
    return from.list(command).stream().map(String::valueOf).toList();
  }

  private static List<String> askForKeys(int slot) {
    return List.of("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), KEYS_TOGETHER);
  }

  private static List<List<String>> each(
      List<Integer> slots, Function<Integer, List<String>> command) {
    return slots.stream().map(command).toList();
  }

  private static List<String> setSlot(int slot, String state, String node) {
    return List.of("CLUSTER", "SETSLOT", String.valueOf(slot), state, node);
  }

  @Override
  public void close() {
    from.close();
    to.close();
    others.forEach(RespClient::close);
  }
}
