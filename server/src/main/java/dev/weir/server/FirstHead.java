package dev.weir.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits until Vert.x knows of a connection, then steps aside: over HTTP/1.1 that is when the head
 * of the first request has come, over HTTP/2 when the first frame has. If that is not soon, the
 * connection is closed, however busily its bytes trickle in.
 *
 * <p>A first request that wishes to go on in HTTP/2 ({@code Upgrade: h2c}) is answered as if it did
 * not. Nobody needs that, since whoever speaks HTTP/2 here does so from the first byte. And a proxy
 * that passes on such a request and its answer would give its client a tunnel through which the
 * proxy sees no requests. Vert.x has one setting for both ways, so the field is taken away before
 * it looks for it. On later requests of a connection it does not look.
 */
final class FirstHead extends ChannelInboundHandlerAdapter {
  /** What looks for the wish, over HTTP/1.1 only; Vert.x gives it this name. */
  private static final String UPGRADE_HANDLER = "h2c";

  private static final String UPGRADE = "h2c";

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** A frame starts with the length of what is behind its head. */
  private static final int FRAME_LENGTH_BYTES = 3;

  private static final int FRAME_HEAD_BYTES = 9;

  private final Duration timeout;
  private @Nullable Future<?> deadline;
  private boolean isHttp1;

  /** How much of preface and first frame has come. */
  private int seen;

  /** How long they are, as far as is known. */
  private int whole = PREFACE.length + FRAME_HEAD_BYTES;

  /**
   * For one connection.
   *
   * @param timeout after which it is closed if the first head has not come
   */
  FirstHead(Duration timeout) {
    this.timeout = timeout;
  }

  /** Sees the first request of HTTP/1.1, before Vert.x looks for a wish. */
  private final class FirstRequest extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest request) {
        if (request.headers().contains(HttpHeaderNames.UPGRADE, UPGRADE, true)) {
          request.headers().remove(HttpHeaderNames.UPGRADE);
        }
        context.pipeline().remove(this);
        stepAside(context.pipeline());
      }
      context.fireChannelRead(message);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the end of the connection.
  public void channelActive(ChannelHandlerContext context) {
    Runnable close = () -> context.close();
    deadline = context.executor().schedule(close, timeout.toNanos(), TimeUnit.NANOSECONDS);
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!isHttp1 && message instanceof ByteBuf bytes) {
      int other = firstOther(bytes);
      isHttp1 = other >= 0;
      if (isHttp1) {
        // By this byte Vert.x tells as well, and then sets up what reads HTTP/1.1.
        context.fireChannelRead(bytes.readRetainedSlice(other + 1));
        awaitRequest(context.pipeline());
      } else if (seen == whole) {
        stepAside(context.pipeline());
      }
    }
    context.fireChannelRead(message);
  }

  /** The index of the first byte that cannot be one of HTTP/2; -1 if there is none. */
  private int firstOther(ByteBuf bytes) {
    for (int i = 0; i < bytes.readableBytes() && seen < whole; i++) {
      int next = bytes.getUnsignedByte(bytes.readerIndex() + i);
      int inFrame = seen - PREFACE.length;
      if (inFrame < 0 && next != PREFACE[seen]) {
        return i;
      }
      if (inFrame >= 0 && inFrame < FRAME_LENGTH_BYTES) {
        whole += next << (Byte.SIZE * (FRAME_LENGTH_BYTES - 1 - inFrame));
      }
      seen++;
    }
    return -1;
  }

  private void awaitRequest(ChannelPipeline pipeline) {
    // Those are for HTTP/2 only.
    pipeline.remove(Farewell.class);
    pipeline.remove(FlushConsolidationHandler.class);
    if (pipeline.get(UPGRADE_HANDLER) == null) {
      // Half of the preface is a request as well, and has been read as such.
      stepAside(pipeline);
    } else {
      pipeline.addBefore(UPGRADE_HANDLER, null, new FirstRequest());
    }
  }

  private void stepAside(ChannelPipeline pipeline) {
    stopWaiting();
    pipeline.remove(this);
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
