package dev.weir.testkit.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hands out loopback ports, each once in this JVM.
 *
 * <p>They lie below the range that Linux takes for outgoing connections (from 32768). A port from
 * that range could be taken while its server is being restarted; and a client that keeps trying to
 * reach a dead port of that range would at some time be connected to itself.
 */
public final class Ports {
  private Ports() {}

  /** The loopback address, as digits. */
  public static final String HOST = "127.0.0.1";

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** A cluster node listens at this distance from its port as well. */
  private static final int BUS_DISTANCE = 10_000;

  private static final int FIRST = 12_000;
  private static final int COUNT = 10_000;
  private static final int ATTEMPTS = 1_000;
  private static final Set<Integer> GIVEN = new HashSet<>();

  /** A port on which nothing listens, nor on the one of its cluster bus. */
  public static synchronized int free() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
      if (GIVEN.add(port) && isFree(port) && isFree(port + BUS_DISTANCE)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port found between %d and %d".formatted(FIRST, FIRST + COUNT - 1));
  }

  /** Listens on a port of the loopback address. */
  public static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static boolean isFree(int port) {
    try {
      listen(port).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
