package dev.weir.control.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object that is sent while it is being made: small ones at once, large ones in parts. It is
 * there once it is complete, and never partly.
 */
final class S3Upload extends OutputStream {
  /**
   * The default size of a part. S3 accepts parts from 5 MiB on, and 10,000 of them, so that an
   * object has room for 156 GiB.
   */
  static final int PART_BYTES = 16 << 20;

  private final S3Client client;
  private final String bucket;
  private final String key;
  private final byte[] part;
  private final List<CompletedPart> sent = new ArrayList<>();
  private int size;
  private @Nullable String uploadId;

  S3Upload(S3Client client, String bucket, String key, int partBytes) {
    this.part = new byte[partBytes];
    this.client = client;
    this.bucket = bucket;
    this.key = key;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (size == part.length) {
        sendPart();
      }
      int more = Math.min(length - done, part.length - size);
      System.arraycopy(bytes, offset + done, part, size, more);
      size += more;
      done += more;
    }
  }

  private void sendPart() throws IOException {
    String id = uploadId;
    if (id == null) {
      id = client.createMultipartUpload(request -> request.bucket(bucket).key(key)).uploadId();
      uploadId = id;
    }
    String upload = id;
    int number = sent.size() + 1;
    String tag =
        client
            .uploadPart(
                request -> request.bucket(bucket).key(key).uploadId(upload).partNumber(number),
                body())
            .eTag();
    sent.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    size = 0;
  }

  private RequestBody body() {
    return RequestBody.fromByteBuffer(ByteBuffer.wrap(part, 0, size));
  }

  /** Makes it appear, in the place of an older one. */
  void complete() throws IOException {
    if (uploadId == null) {
      client.putObject(request -> request.bucket(bucket).key(key), body());
      return;
    }
    sendPart();
    String upload = uploadId;
    client.completeMultipartUpload(
        request ->
            request
                .bucket(bucket)
                .key(key)
                .uploadId(upload)
                .multipartUpload(parts -> parts.parts(sent)));
  }

  /** Gives up what was sent; if that cannot be done now, the next attempt does it. */
  void abort(Exception reason) {
    String upload = uploadId;
    if (upload == null) {
      return;
    }
    try {
      client.abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(upload));
    } catch (SdkException e) {
      reason.addSuppressed(e);
    }
  }
}
