package dev.weir.spring;

import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What an application under WebFlux may do. */
@RestController
class ReactiveControllers {

  @RequestMapping("/hello")
  Mono<String> hello() {
    return Mono.just("hello");
  }

  @GetMapping("/login")
  Mono<String> login() {
    return Mono.just("login");
  }

  @GetMapping("/later")
  Mono<String> later() {
    return Mono.delay(Duration.ofMillis(20)).thenReturn("later");
  }

  @GetMapping("/broken")
  Mono<String> broken() {
    return Mono.error(new IllegalStateException("broken"));
  }

  @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<String> stream() {
    return Flux.just("1", "2", "3");
  }

  @PostMapping("/upload")
  Mono<String> upload(ServerHttpRequest request) {
    return request
        .getBody()
        .map(ReactiveControllers::sizeOf)
        .reduce(0L, Long::sum)
        .map(size -> "" + size);
  }

  private static long sizeOf(DataBuffer buffer) {
    long size = buffer.readableByteCount();
    DataBufferUtils.release(buffer);
    return size;
  }

  @RateLimit(value = "2/m", key = "#who")
  @GetMapping("/limited")
  Mono<String> limited(@RequestParam("who") String who) {
    return Mono.just("for " + who);
  }

  @RateLimit(value = "2/m", key = "#who")
  @GetMapping("/limited-later")
  Flux<String> limitedLater(@RequestParam("who") String who) {
    return Flux.just("for " + who);
  }
}
