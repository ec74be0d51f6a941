package dev.weir.testkit.process;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands out loopback ports, each once in this JVM, and none that another JVM has got here.
 *
 * <p>Ports come in blocks. A JVM has a block as long as it listens on the first port of it, to the
 * end of its life: a server that is killed finds its port free when it is started again.
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
  private static final int BLOCKS = 100;
  private static final int BLOCK_SIZE = 100;
  private static final int CONNECT_MILLIS = 1_000;
  private static final long INHERITED_NANOS = 1_000_000_000;
  private static final long POLL_NANOS = 1_000_000;
  private static final List<ServerSocket> GUARDS = new ArrayList<>();
  private static int next;
  private static int end;

  /**
   * A port on which nothing listens, nor on the one of its cluster bus.
   *
   * @throws IllegalStateException if all blocks are taken
   */
  public static synchronized int free() {
    while (true) {
      if (next == end) {
        takeBlock();
      }
      int port = next++;
      if (isFree(port) && isFree(port + BUS_DISTANCE)) {
        return port;
      }
    }
  }

  private static void takeBlock() {
    int start = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      int first = FIRST + (start + i) % BLOCKS * BLOCK_SIZE;
      try {
        GUARDS.add(tryListen(first));
        next = first + 1;
        end = first + BLOCK_SIZE;
        return;
      } catch (IOException taken) {
        // By another JVM, or by this one before.
      }
    }
    throw new IllegalStateException(
        "all ports between %d and %d are taken".formatted(FIRST, FIRST + BLOCKS * BLOCK_SIZE - 1));
  }

  /**
   * Whether a program says that somebody else listens on its port. What it says depends on the C
   * library that it was built with.
   */
  public static boolean wasTaken(String lastWords) {
    return lastWords.contains("Address already in use") || lastWords.contains("Address in use");
  }

  /**
   * Listens on a port of the loopback address. Waits a moment if it is taken: a program that was
   * started while this JVM listened there has inherited that, and is about to let go of it.
   */
  public static ServerSocket listen(int port) throws IOException {
    long startNanos = System.nanoTime();
    while (true) {
      try {
        return tryListen(port);
      } catch (BindException taken) {
        if (System.nanoTime() - startNanos > INHERITED_NANOS) {
          throw taken;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  private static ServerSocket tryListen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address(port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static boolean isFree(int port) {
    // Not by listening: a program that another thread starts just then inherits the socket for a
    // moment, in which the one that the port is for would find it taken.
    try (Socket socket = new Socket()) {
      socket.connect(address(port), CONNECT_MILLIS);
      return false;
    } catch (ConnectException refused) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static InetSocketAddress address(int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
  }
}
