package dev.weir.testkit.redis;

import dev.weir.testkit.redis.FaultyProxy.Mode;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** One connection through a {@link FaultyProxy}. Its fields are guarded by the proxy. */
final class ProxiedConnection {
  private final FaultyProxy proxy;
  private final Socket client;
  private @Nullable Socket server;
  private boolean lostRequests;
  private boolean lostReplies;
  private boolean gone;

  ProxiedConnection(FaultyProxy proxy, Socket client) {
    this.proxy = proxy;
    this.client = client;
  }

  /** Connects to the server and starts to carry bytes. In a black hole there is no server. */
  void run(String host, int port) {
    try {
      client.setTcpNoDelay(true);
      if (proxy.mode() == Mode.BLACK_HOLE) {
        synchronized (proxy) {
          lostRequests = true;
        }
        new Pump(proxy, this, client, client, false).start();
        return;
      }
      Socket target = new Socket(host, port);
      target.setTcpNoDelay(true);
      if (adopt(target)) {
        new Pump(proxy, this, client, target, false).start();
        new Pump(proxy, this, target, client, true).start();
      }
    } catch (IOException e) {
      proxy.reset(this);
    }
  }

  private boolean adopt(Socket target) {
    synchronized (proxy) {
      server = target;
      if (gone) {
        end(true);
      }
      return !gone;
    }
  }

  /** Whether bytes were lost, so that the rest of the stream means nothing. */
  boolean isBroken() {
    return lostRequests || lostReplies;
  }

  boolean isGone() {
    return gone;
  }

  /** Whether to lose the next bytes; if so, then all after them too. */
  boolean loses(boolean reply, Mode mode) {
    if (reply) {
      lostReplies |= mode == Mode.BLACK_HOLE || mode == Mode.SWALLOW_REPLIES;
      return lostReplies;
    }
    lostRequests |= mode == Mode.BLACK_HOLE;
    return lostRequests;
  }

  /** Closes both sides, with a reset or in order. */
  void end(boolean reset) {
    gone = true;
    close(client, reset);
    if (server != null) {
      close(server, reset);
    }
  }

  private static void close(Socket socket, boolean reset) {
    try (socket) {
      if (reset) {
        socket.setSoLinger(true, 0);
      }
    } catch (IOException e) {
      // Closed already.
    }
  }
}
