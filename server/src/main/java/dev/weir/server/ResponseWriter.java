package dev.weir.server;

import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes to a response from a thread that may wait: for each part until it has left, so that who
 * reads slowly does not fill the memory.
 */
final class ResponseWriter extends Writer {
  private static final int PART = 32 << 10;
  private static final long PATIENCE_SECONDS = 30;

  private final HttpServerResponse response;
  private final StringBuilder part = new StringBuilder(PART);

  ResponseWriter(HttpServerResponse response) {
    this.response = response;
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    part.append(text, from, length);
    if (part.length() >= PART) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    if (part.length() == 0) {
      return;
    }
    String text = part.toString();
    part.setLength(0);
    try {
      response
          .write(text)
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException gone) {
      throw new IOException("who asked is gone", gone.getCause());
    } catch (TimeoutException slow) {
      throw new IOException(
          "who asked has read nothing for %d s".formatted(PATIENCE_SECONDS), slow);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
