package dev.weir.server.proxy;

import static dev.weir.server.proxy.Surroundings.BEHIND_ANOTHER;
import static dev.weir.server.proxy.Surroundings.CLOSED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.RunningProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the configuration of {@code docs/guides/nginx.md}. */
class NginxIT extends ProxyContract {
  private static final Guide GUIDE = Guide.read("nginx.md");

  /** What is around the file that the guide shows, for an nginx that is nobody's service. */
  private static final String MAIN =
      """
      daemon off;
      master_process off;
      pid nginx.pid;
      error_log stderr warn;
      events {}
      http {
          access_log off;
          client_body_temp_path client_body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          include weir.conf;
      }
      """;

  @Override
  RunningProgram start(Surroundings around, int port) {
    Program nginx = Program.orSkip("nginx");
    ShownFile shown = GUIDE.file("/etc/nginx/conf.d/weir.conf");
    ShownFile file =
        around
            .withFront(around.changed(GUIDE, shown, List.of(BEHIND_ANOTHER, CLOSED)))
            .with("listen 80;", "listen 127.0.0.1:" + port + ";")
            .with("server 127.0.0.1:8080;", "server 127.0.0.1:" + around.weirPort() + ";")
            .with("server 127.0.0.1:3000;", "server 127.0.0.1:" + around.servicePort() + ";");
    if (around.isPatient()) {
      file = file.with(" 100ms;", " 10s;").with(" 250ms;", " 10s;");
    }
    file.write(around.folder().resolve("weir.conf"));
    try {
      Files.writeString(around.folder().resolve("nginx.conf"), MAIN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String prefix = around.folder() + "/";
    return RunningProgram.start(
        nginx.command("-p", prefix, "-c", "nginx.conf", "-e", "stderr"), around.folder());
  }

  @Test
  void theLocationThatAsksWeirIsNotForClients() {
    assertThat(newClient().get("/_weir").status()).isEqualTo(404);
    assertThat(service().seen("/_weir")).isEmpty();
  }
}
