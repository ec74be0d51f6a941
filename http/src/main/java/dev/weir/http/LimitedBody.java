package dev.weir.http;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes a body up to a length, and ends the exchange when more comes. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
  private final HttpResponse.BodySubscriber<byte[]> whole =
      HttpResponse.BodySubscribers.ofByteArray();
  private final long mostBytes;
  private Flow.@Nullable Subscription subscription;
  private long bytes;

  LimitedBody(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    whole.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (bytes > mostBytes) {
      return;
    }
    for (ByteBuffer buffer : buffers) {
      bytes += buffer.remaining();
    }
    if (bytes <= mostBytes) {
      whole.onNext(buffers);
    } else if (subscription != null) {
      subscription.cancel();
      whole.onError(JwksLocation.tooLarge());
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
