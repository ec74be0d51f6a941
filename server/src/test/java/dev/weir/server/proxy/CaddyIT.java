package dev.weir.server.proxy;

import static dev.weir.server.proxy.Surroundings.BEHIND_ANOTHER;
import static dev.weir.server.proxy.Surroundings.CLOSED;

import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.RunningProgram;
import java.util.List;

/** Runs the configuration of {@code docs/guides/caddy.md}. */
class CaddyIT extends ProxyContract {
  private static final Guide GUIDE = Guide.read("caddy.md");

  /** Options for a Caddy that is nobody's service, before the file that the guide shows. */
  private static final String OPTIONS =
      """
      {
        admin off
        auto_https off
        default_bind 127.0.0.1
      }
      """;

  @Override
  RunningProgram start(Surroundings around, int port) {
    Program caddy = Program.orSkip("caddy");
    ShownFile shown = GUIDE.file("/etc/caddy/Caddyfile");
    ShownFile file =
        around
            .withFront(around.changed(GUIDE, shown, List.of(BEHIND_ANOTHER, CLOSED)))
            .with("\nexample.com {", "\n" + OPTIONS + "http://:" + port + " {")
            .with(" 127.0.0.1:8080 ", " 127.0.0.1:" + around.weirPort() + " ")
            .with(" 127.0.0.1:3000\n", " 127.0.0.1:" + around.servicePort() + "\n");
    if (around.isPatient()) {
      file = file.with(" 100ms\n", " 10s\n").with(" 250ms\n", " 10s\n");
    }
    file.write(around.folder().resolve("Caddyfile"));
    ProcessBuilder command =
        caddy.command("run", "--config", "Caddyfile", "--adapter", "caddyfile");
    for (String home : List.of("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")) {
      command.environment().put(home, around.folder().toString());
    }
    return RunningProgram.start(command, around.folder());
  }
}
