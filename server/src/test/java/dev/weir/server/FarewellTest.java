package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is let go, how fast, and who is not. */
class FarewellTest {
  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Semaphore places = new Semaphore(1);

  /** Takes no notice of what goes wrong before it. */
  private static final class Unmoved extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {}
  }

  private static ByteBuf noHttp2() {
    return Unpooled.wrappedBuffer(new byte[100]);
  }

  private EmbeddedChannel http2() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new Farewell(places, DELAY), Http2FrameCodecBuilder.forServer().build(), new Unmoved());
    channel.freezeTime();
    return channel;
  }

  private static void advance(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void whoSendsWhatIsWrongIsToldAtOnceAndHungUpOnLater() {
    EmbeddedChannel channel = http2();
    channel.releaseOutbound();

    channel.writeInbound(noHttp2());

    assertThat(channel.outboundMessages()).isNotEmpty();
    assertThat(channel.config().isAutoRead()).isFalse();
    advance(channel, 999);
    assertThat(channel.isOpen()).isTrue();
    advance(channel, 1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void whatComesMeanwhileIsThrownAway() {
    EmbeddedChannel channel = http2();
    channel.writeInbound(noHttp2());
    ByteBuf more = noHttp2();

    channel.writeInbound(more);

    assertThat(more.refCnt()).isZero();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void fewWaitAtATime() {
    EmbeddedChannel first = http2();
    first.writeInbound(noHttp2());
    EmbeddedChannel second = http2();
    second.writeInbound(noHttp2());
    assertThat(second.isOpen()).isFalse();

    advance(first, 1_000);

    EmbeddedChannel third = http2();
    third.writeInbound(noHttp2());
    assertThat(third.isOpen()).isTrue();
  }

  @Test
  void aPlaceIsFreeAgainWhenTheCallerHangsUpItself() {
    EmbeddedChannel channel = http2();
    channel.writeInbound(noHttp2());
    assertThat(places.availablePermits()).isZero();

    assertThat(channel.close().isSuccess()).isTrue();

    assertThat(channel.isOpen()).isFalse();
    assertThat(places.availablePermits()).isEqualTo(1);
    advance(channel, 1_000);
    assertThat(places.availablePermits()).isEqualTo(1);
  }

  @Test
  void aConnectionThatIsNotReadFromIsClosedAtOnce() {
    EmbeddedChannel channel = http2();

    assertThat(channel.close().isSuccess()).isTrue();

    assertThat(channel.isOpen()).isFalse();
    assertThat(places.availablePermits()).isEqualTo(1);
  }

  @Test
  void callersOfHttp1AreHungUpOnAtOnce() {
    ChannelInboundHandlerAdapter closing =
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
            assertThat(context.close().isCancelled()).isFalse();
          }
        };
    EmbeddedChannel channel = new EmbeddedChannel(new Farewell(places, DELAY), closing);

    channel.writeInbound(noHttp2());

    assertThat(channel.isOpen()).isFalse();
  }
}
