package dev.weir.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Hangs up slowly on callers of HTTP/2 that are let go for what they have sent, such as too many
 * cancelled requests. They are told at once, and are not listened to any more; but who waits for
 * the end of the connection, to come back with the same, waits for a while. Else such a caller
 * alone could keep an event loop busy, with hundreds of connections a second.
 *
 * <p>What is known of a connection is kept until its end, so that few of them wait at a time.
 */
final class Farewell extends ChannelDuplexHandler {
  /** How many connections may wait for their end at a time. */
  static final int MOST = 20;

  private final Semaphore places;
  private final Duration delay;
  private boolean isReading;
  private boolean isLetGo;

  /**
   * For one connection.
   *
   * @param places one for each connection that may wait for its end at a time
   * @param delay how long it waits
   */
  Farewell(Semaphore places, Duration delay) {
    this.places = places;
    this.delay = delay;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isLetGo) {
      ReferenceCountUtil.release(message);
      return;
    }
    isReading = true;
    context.fireChannelRead(message);
  }

  /** What is to be sent meanwhile may be sent only now, and what waits for that comes then. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    try {
      context.fireChannelReadComplete();
    } finally {
      isReading = false;
    }
  }

  /** What is closed while it is read from is closed for what was read, perhaps more than once. */
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the end of the connection.
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (isReading && (isLetGo || isLetGoNow(context))) {
      Runnable close = () -> context.close(promise);
      context.executor().schedule(close, delay.toNanos(), TimeUnit.NANOSECONDS);
    } else {
      context.close(promise);
    }
  }

  private boolean isLetGoNow(ChannelHandlerContext context) {
    if (context.pipeline().get(Http2ConnectionHandler.class) == null || !places.tryAcquire()) {
      return false;
    }
    isLetGo = true;
    context.channel().config().setAutoRead(false);
    context.channel().closeFuture().addListener(closed -> places.release());
    return true;
  }
}
