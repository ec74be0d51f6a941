package dev.weir.testkit.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class S3ServerIT {
  private final HttpClient client = HttpClient.newHttpClient();

  private int status(URI uri) throws IOException, InterruptedException {
    return client
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void refusesWhoHasNotSignedAndIsGoneOnceClosed() throws Exception {
    URI uri;
    Path bucket;
    try (S3Server server = S3Server.start()) {
      uri = server.endpoint();
      bucket = server.createBucket("a-bucket");
      assertThat(status(uri.resolve("/a-bucket"))).isEqualTo(403);
      assertThat(bucket).isDirectory();
      assertThat(server).hasToString("S3 on " + uri);
      assertThatThrownBy(() -> server.createBucket("a-bucket")).hasMessageContaining("a-bucket");
    }
    assertThat(bucket).doesNotExist();
    assertThatThrownBy(() -> status(uri)).isInstanceOf(ConnectException.class);
  }
}
