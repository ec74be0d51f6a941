package dev.weir.server;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Sends what has been written before a connection is closed. Vert.x closes connections over which
 * something malformed has come while it is still reading, when responses wait to be sent together.
 */
@Sharable
final class FlushBeforeClose extends ChannelOutboundHandlerAdapter {
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Whoever closes holds the promise.
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    context.flush();
    context.close(promise);
  }
}
