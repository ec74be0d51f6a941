package dev.weir.server.proxy;

import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.RunningProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proxy, Weir and a service for all tests of a class, and others for those that break something.
 * Each test has clients of its own, at addresses of the loopback network.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProxySetup {
  private final Upstream service = Upstream.start();
  private @Nullable Weir weir;
  private @Nullable RunningProxy proxy;
  private int clients;

  /** Starts the proxy as the guide shows it, on that port. */
  abstract RunningProgram start(Surroundings surroundings, int port);

  /** A proxy and its port. */
  record RunningProxy(RunningProgram program, int port) implements AutoCloseable {
    @Override
    public void close() {
      program.close();
    }
  }

  @BeforeAll
  void startAll(@TempDir Path folder) throws IOException {
    weir = Weir.start(folder);
    proxy = startProxy(folder, weir.port(), true);
  }

  @AfterAll
  void stopAll() {
    if (proxy != null) {
      proxy.close();
    }
    if (weir != null) {
      weir.close();
    }
    service.close();
  }

  /** Starts another proxy, with those changes that the guide shows. */
  final RunningProxy startProxy(Path folder, int weirPort, boolean isPatient, String... changes)
      throws IOException {
    Path files = Files.createDirectory(folder.resolve("proxy"));
    int port = Ports.free();
    RunningProgram program =
        start(new Surroundings(files, weirPort, service.port(), List.of(changes), isPatient), port);
    try {
      program.awaitPort(port);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
    return new RunningProxy(program, port);
  }

  /** The service behind all proxies. */
  final Upstream service() {
    return service;
  }

  /** A client who has not been seen before, of the proxy that all tests share. */
  final HttpClientAt newClient() {
    return clientOf(Objects.requireNonNull(proxy));
  }

  /** A client who has not been seen before, of that proxy. */
  final HttpClientAt clientOf(RunningProxy proxy) {
    clients++;
    return new HttpClientAt("127.0.1." + clients, proxy.port);
  }
}
