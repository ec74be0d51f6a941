package dev.weir.bench;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * nginx that limits by itself, with as many processes as the service has event loops. A location
 * with {@code return} would be answered before the limit is looked at; one with a picture is not.
 */
final class Nginx {
  private Nginx() {}

  private static final String CONFIG =
      """
      daemon off;
      pid nginx.pid;
      error_log stderr;
      worker_processes %d;
      events {
        worker_connections 1024;
      }
      http {
        access_log off;
        keepalive_requests 1000000000;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        limit_req_zone $http_x_forwarded_for zone=clients:64m rate=20000r/s;
        server {
          listen 127.0.0.1:%d;
          location = %s {
            limit_req zone=clients burst=20000 nodelay;
            empty_gif;
          }
        }
      }
      """;

  /** Starts nginx in a folder of its own, with all that it writes inside. */
  static ServerProcess start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    int port = ServerProcess.freePort();
    int workers = Runtime.getRuntime().availableProcessors();
    Path config = folder.resolve("nginx.conf");
    Files.writeString(config, CONFIG.formatted(workers, port, ServerCall.AUTH_PATH));
    List<String> arguments =
        List.of(
            "-p",
            folder.toAbsolutePath().toString(),
            "-c",
            config.toAbsolutePath().toString(),
            "-e",
            "stderr");
    return ServerProcess.program(
        Program.required("nginx").command(arguments.toArray(String[]::new)), port);
  }
}
