package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A response about an archive that cannot be used is one plain sentence. */
class UnusableArchiveIT {
  @TempDir private Path folder = Path.of("");

  @Test
  void theResponseSaysWhatIsWrongWhereAndWhatToDo() throws IOException {
    Path inside = Files.createFile(folder.resolve("file")).resolve("archive");
    try (TestServer server = new TestServer(folder, "[audit]\narchive = \"" + inside + "\"\n")) {
      Caller.Reply reply = server.caller.delete("/v1/admin/archive");

      assertThat(reply.status()).as(reply.body()).isEqualTo(503);
      assertThat(reply.json().get("field").asText()).isEqualTo("archive");
      assertThat(reply.json().get("message").asText())
          .isEqualTo(
              "audit.archive: cannot write to directory "
                  + inside
                  + ": Not a directory; make it writable for the server, or set audit.archive to"
                  + " another directory");
    }
  }
}
