package dev.weir.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The transport of this system, but every caller has to send the head of its first request soon: as
 * long as that has not come, Vert.x knows of no connection that could be closed. And who is let go
 * has to wait before it can come back.
 *
 * <p>Over HTTP/2, where many requests share a connection, answers that are ready at about the same
 * time, as those of counters on Redis are, go out together.
 */
final class ImpatientTransport implements Transport {
  /** How many answers over HTTP/2 may wait to be sent together. */
  private static final int MOST_ANSWERS_AT_ONCE = 256;

  private final Transport usual;
  private final ServerTimeouts timeouts;
  private final Semaphore farewells = new Semaphore(Farewell.MOST);

  private ImpatientTransport(Transport usual, ServerTimeouts timeouts) {
    this.usual = usual;
    this.timeouts = timeouts;
  }

  /** The system's own transport where there is one, else the JDK's. */
  static io.vertx.core.transport.Transport ofThisSystem(ServerTimeouts timeouts) {
    io.vertx.core.transport.Transport system = io.vertx.core.transport.Transport.nativeTransport();
    io.vertx.core.transport.Transport usual =
        system == null || !system.available() ? io.vertx.core.transport.Transport.NIO : system;
    return new io.vertx.core.transport.Transport() {
      @Override
      public String name() {
        return usual.name();
      }

      @Override
      public boolean available() {
        return usual.available();
      }

      @Override
      public @Nullable Throwable unavailabilityCause() {
        return usual.unavailabilityCause();
      }

      @Override
      public Transport implementation() {
        return new ImpatientTransport(usual.implementation(), timeouts);
      }
    };
  }

  /** Sees each connection before anybody else does. */
  @Sharable
  private static final class Doorman extends ChannelInboundHandlerAdapter {
    private final Semaphore farewells;
    private final ServerTimeouts timeouts;
    private final FlushBeforeClose flushBeforeClose = new FlushBeforeClose();

    Doorman(Semaphore farewells, ServerTimeouts timeouts) {
      this.farewells = farewells;
      this.timeouts = timeouts;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      ((Channel) accepted)
          .pipeline()
          .addFirst(
              flushBeforeClose,
              new FlushConsolidationHandler(MOST_ANSWERS_AT_ONCE, true),
              new Farewell(farewells, timeouts.delayedClose()),
              new FirstHead(timeouts.firstRequest()));
      context.fireChannelRead(accepted);
    }
  }

  @Override
  public void configure(NetServerOptions options, boolean isLocal, ServerBootstrap bootstrap) {
    usual.configure(options, isLocal, bootstrap);
    bootstrap.handler(new Doorman(farewells, timeouts));
  }

  @Override
  public boolean supportsDomainSockets() {
    return usual.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return usual.supportFileRegion();
  }

  @Override
  public boolean isAvailable() {
    return usual.isAvailable();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return usual.unavailabilityCause();
  }

  @Override
  public java.net.SocketAddress convert(SocketAddress address) {
    return usual.convert(address);
  }

  @Override
  public SocketAddress convert(java.net.SocketAddress address) {
    return usual.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return usual.ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return usual.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation")
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return usual.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean isLocal) {
    return usual.channelFactory(isLocal);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean isLocal) {
    return usual.serverChannelFactory(isLocal);
  }
}
