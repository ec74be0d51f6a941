package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.parquet.io.InputFile;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. Region, address and credentials come from where the SDK looks for them: its
 * environment variables, its profile, the role of the machine.
 */
final class S3Place implements Place {
  private static final Pattern ADDRESS =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");
  private static final int FORBIDDEN = 403;
  private static final int NOT_IMPLEMENTED = 501;

  private final S3Client client;
  private final String bucket;
  private final String prefix;
  private final int partBytes;

  private S3Place(S3Client client, String bucket, String prefix, int partBytes) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
    this.partBytes = partBytes;
  }

  static S3Place of(String address) {
    return of(address, S3Upload.PART_BYTES);
  }

  /** With parts of another size. */
  static S3Place of(String address, int partBytes) {
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches()) {
      throw new ArchiveException(
          "audit.archive must be a folder or s3://bucket/prefix, got \"%s\"".formatted(address));
    }
    String folders = matcher.group(2) == null ? "" : matcher.group(2).replaceAll("^/+|/+$", "");
    String prefix = folders.isEmpty() ? "" : folders + "/";
    return new S3Place(client(address), matcher.group(1), prefix, partBytes);
  }

  private static S3Client client(String address) {
    try {
      S3ClientBuilder builder =
          S3Client.builder().httpClientBuilder(UrlConnectionHttpClient.builder());
      S3Client client = builder.build();
      if (client.serviceClientConfiguration().endpointOverride().isEmpty()) {
        return client;
      }
      // Servers of others seldom have a name for each bucket.
      client.close();
      return builder.forcePathStyle(true).build();
    } catch (SdkException e) {
      throw S3Failures.cannot("use", address, e);
    }
  }

  private <T> T call(String what, String where, Supplier<T> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw S3Failures.cannot(what, where, e);
    }
  }

  @Override
  public void requireUsable() {
    call("use", toString(), () -> client.headBucket(request -> request.bucket(bucket)));
  }

  @Override
  public String location(String name) {
    return S3 + bucket + "/" + key(name);
  }

  private String key(String name) {
    return prefix + name;
  }

  @Override
  public boolean exists(String name) {
    return call(
        "look for",
        location(name),
        () -> {
          try {
            client.headObject(request -> request.bucket(bucket).key(key(name)));
            return true;
          } catch (NoSuchKeyException missing) {
            return false;
          }
        });
  }

  @Override
  public Contents write(String name, Writer writer) throws IOException {
    String key = key(name);
    removeUnfinished(key);
    S3Upload upload = new S3Upload(client, bucket, key, partBytes);
    try {
      Contents contents = writer.write(upload);
      upload.complete();
      return contents;
    } catch (IOException | RuntimeException e) {
      upload.abort(e);
      SdkException cause = S3Failures.within(e);
      if (cause != null && !(e instanceof ArchiveException)) {
        throw S3Failures.cannot("write", location(name), cause);
      }
      throw e;
    }
  }

  /** Parts that a killed run has sent are nowhere to be seen, and are paid for. */
  private void removeUnfinished(String key) {
    try {
      client
          .listMultipartUploadsPaginator(request -> request.bucket(bucket).prefix(key))
          .uploads()
          .stream()
          .filter(upload -> upload.key().equals(key))
          .map(MultipartUpload::uploadId)
          .forEach(
              id ->
                  client.abortMultipartUpload(
                      request -> request.bucket(bucket).key(key).uploadId(id)));
    } catch (S3Exception e) {
      if (e.statusCode() != NOT_IMPLEMENTED && e.statusCode() != FORBIDDEN) {
        throw S3Failures.cannot("write", S3 + bucket + "/" + key, e);
      }
      // Who may not see them, or cannot, leaves them to the rules of the bucket.
    } catch (SdkException e) {
      throw S3Failures.cannot("write", S3 + bucket + "/" + key, e);
    }
  }

  @Override
  public InputStream read(String name) {
    return call(
        "read",
        location(name),
        () -> client.getObject(request -> request.bucket(bucket).key(key(name))));
  }

  @Override
  public InputFile parquet(String name) {
    return new S3Input(client, bucket, key(name));
  }

  @Override
  public List<String> list() {
    return call(
        "list",
        toString(),
        () ->
            List.of(MonthlyTable.values()).stream()
                .flatMap(
                    table ->
                        client
                            .listObjectsV2Paginator(
                                request ->
                                    request.bucket(bucket).prefix(prefix + table.table() + "/"))
                            .contents()
                            .stream())
                .map(S3Object::key)
                .map(key -> key.substring(prefix.length()))
                .filter(name -> ArchiveFile.of(name).isPresent())
                .sorted()
                .toList());
  }

  @Override
  public void delete(String name) {
    call(
        "delete",
        location(name),
        () -> client.deleteObject(request -> request.bucket(bucket).key(key(name))));
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return URI.create(S3 + bucket + "/" + prefix).toString().replaceAll("/$", "");
  }
}
