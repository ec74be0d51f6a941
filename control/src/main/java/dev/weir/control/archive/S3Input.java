package dev.weir.control.archive;

import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** An object for a reader of Parquet, which reads the end first and then from front to back. */
final class S3Input implements InputFile {
  private final S3Client client;
  private final String bucket;
  private final String key;

  S3Input(S3Client client, String bucket, String key) {
    this.client = client;
    this.bucket = bucket;
    this.key = key;
  }

  private String location() {
    return Place.S3 + bucket + "/" + key;
  }

  @Override
  public long getLength() throws IOException {
    try {
      return client.headObject(request -> request.bucket(bucket).key(key)).contentLength();
    } catch (SdkException e) {
      throw S3Failures.cannot("read", location(), e);
    }
  }

  @Override
  public SeekableInputStream newStream() {
    Ranges ranges = new Ranges();
    return new DelegatingSeekableInputStream(ranges) {
      @Override
      public long getPos() {
        return ranges.position;
      }

      @Override
      public void seek(long position) {
        ranges.position = position;
      }
    };
  }

  /** Asks for all from a position on when somebody reads there, and goes on with it if it can. */
  private final class Ranges extends InputStream {
    private long position;
    private long opened;
    private @Nullable ResponseInputStream<GetObjectResponse> stream;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        int read = stream().read(bytes, offset, length);
        if (read > 0) {
          position += read;
          opened += read;
        }
        return read;
      } catch (SdkException e) {
        throw S3Failures.cannot("read", location(), e);
      }
    }

    private InputStream stream() {
      ResponseInputStream<GetObjectResponse> there = stream;
      if (there != null && opened == position) {
        return there;
      }
      close();
      String range = "bytes=" + position + "-";
      ResponseInputStream<GetObjectResponse> next =
          client.getObject(request -> request.bucket(bucket).key(key).range(range));
      stream = next;
      opened = position;
      return next;
    }

    /** Without reading what is left, which may be all of the object. */
    @Override
    public void close() {
      ResponseInputStream<GetObjectResponse> there = stream;
      if (there != null) {
        there.abort();
        stream = null;
      }
    }
  }
}
