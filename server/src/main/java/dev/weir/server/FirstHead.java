package dev.weir.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the empty line that ends the head of a connection's first request, and the preface of
 * HTTP/2 alike, then steps aside. If that does not come soon, the connection is closed, however
 * busily its bytes trickle in.
 */
final class FirstHead extends ChannelInboundHandlerAdapter {
  static final int SECONDS = 10;

  private static final String END = "\r\n\r\n";

  private int matched;
  private @Nullable Future<?> deadline;

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the end of the connection.
  public void channelActive(ChannelHandlerContext context) {
    Runnable close = () -> context.close();
    deadline = context.executor().schedule(close, SECONDS, TimeUnit.SECONDS);
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && isEnd(bytes)) {
      stopWaiting();
      context.pipeline().remove(this);
    }
    context.fireChannelRead(message);
  }

  private boolean isEnd(ByteBuf bytes) {
    for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
      int next = bytes.getByte(i);
      matched = next == END.charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
      if (matched == END.length()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    stopWaiting();
    context.fireChannelInactive();
  }

  private void stopWaiting() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }
}
