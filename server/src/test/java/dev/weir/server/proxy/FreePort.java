package dev.weir.server.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for programs that cannot choose one themselves, each given once. They lie below those that
 * Linux takes for outgoing connections (from 32768), so that none is taken meanwhile.
 */
final class FreePort {
  private static final int FIRST = 23_000;
  private static final int COUNT = 9_000;
  private static final int ATTEMPTS = 1_000;
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePort() {}

  static synchronized int next() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port found between %d and %d".formatted(FIRST, FIRST + COUNT - 1));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
