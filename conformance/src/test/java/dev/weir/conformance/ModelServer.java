package dev.weir.conformance;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The model behind real gRPC, on a free port of loopback; looks for new files at each request. */
final class ModelServer extends RateLimitServiceGrpc.RateLimitServiceImplBase
    implements AutoCloseable {
  private static final byte[] SERVING = {1 << 3, 1};

  private final Path folder;
  private final Set<String> settings;
  private final Bug bug;
  private final ModelService service;
  private final Server server;
  private SortedMap<String, String> seen = new TreeMap<>();
  private Optional<String> mistake = Optional.empty();

  ModelServer(Path folder, Set<String> settings, Clock clock, Bug bug) throws IOException {
    this.folder = folder;
    this.settings = settings;
    this.bug = bug;
    service = new ModelService(settings, clock, bug);
    ServerServiceDefinition health =
        ServerServiceDefinition.builder("grpc.health.v1.Health")
            .addMethod(
                Connection.HEALTH_CHECK,
                ServerCalls.asyncUnaryCall(
                    (request, answer) -> {
                      answer.onNext(SERVING);
                      answer.onCompleted();
                    }))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(this)
            .addService(health)
            .build()
            .start();
  }

  String target() {
    return "127.0.0.1:" + server.getPort();
  }

  Stats stats() {
    return service.stats();
  }

  /** Reads the files if they are others; returns what is wrong with them. */
  synchronized Optional<String> reload() {
    SortedMap<String, String> now = look();
    if (!now.equals(seen)) {
      seen = now;
      try {
        SortedMap<String, String> files = new TreeMap<>();
        for (String name : now.keySet()) {
          files.put(name, Files.readString(folder.resolve(name)));
        }
        service.config(ModelConfig.read(files, settings.contains("merge_domains"), bug));
        mistake = Optional.empty();
      } catch (ModelConfig.Mistake e) {
        mistake = Optional.of(e.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return mistake;
  }

  /** What tells the present files from others. */
  private SortedMap<String, String> look() {
    SortedMap<String, String> marks = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        marks.put(
            file.getFileName().toString(),
            attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return marks;
  }

  @Override
  public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> answer) {
    RateLimitResponse response;
    try {
      synchronized (this) {
        reload();
        response = service.answer(request);
      }
    } catch (StatusRuntimeException e) {
      answer.onError(e);
      return;
    } catch (RuntimeException e) {
      answer.onError(Status.INTERNAL.withDescription(e.toString()).asRuntimeException());
      return;
    }
    answer.onNext(response);
    answer.onCompleted();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
