package dev.weir.server.proxy;

import static dev.weir.server.proxy.Surroundings.BEHIND_ANOTHER;
import static dev.weir.server.proxy.Surroundings.CLOSED;

import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.RunningProgram;
import java.util.List;

/** Runs the configuration and the Lua code of {@code docs/guides/haproxy.md}. */
class HaproxyIT extends ProxyContract {
  private static final Guide GUIDE = Guide.read("haproxy.md");

  @Override
  RunningProgram start(Surroundings around, int port) {
    Program haproxy = Program.orSkip("haproxy");
    String between = "127.0.0.1:" + Ports.free();
    ShownFile code = GUIDE.file("/etc/haproxy/weir.lua");
    around
        .changed(GUIDE, code, List.of(CLOSED))
        .with("127.0.0.1:8079", between)
        .write(around.folder().resolve("weir.lua"));
    ShownFile shown = GUIDE.file("/etc/haproxy/haproxy.cfg");
    ShownFile file =
        around
            .withFront(around.changed(GUIDE, shown, List.of(BEHIND_ANOTHER)))
            .with("/etc/haproxy/weir.lua", around.folder().resolve("weir.lua").toString())
            .with("bind :80\n", "bind 127.0.0.1:" + port + "\n")
            .with("bind 127.0.0.1:8079", "bind " + between)
            .with("server weir1 127.0.0.1:8080", "server weir1 127.0.0.1:" + around.weirPort())
            .with("server app1 127.0.0.1:3000", "server app1 127.0.0.1:" + around.servicePort());
    if (around.isPatient()) {
      file = file.with("timeout connect 100ms", "timeout connect 4s");
      file = file.with("timeout server 250ms", "timeout server 4s");
      file = file.with("fall 2", "fall 100");
    }
    file.write(around.folder().resolve("haproxy.cfg"));
    return RunningProgram.start(haproxy.command("-db", "-f", "haproxy.cfg"), around.folder());
  }
}
