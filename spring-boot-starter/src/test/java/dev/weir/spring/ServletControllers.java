package dev.weir.spring;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What an application under Spring MVC may do. */
@RestController
class ServletControllers {

  @RequestMapping("/hello")
  String hello() {
    return "hello";
  }

  @GetMapping("/login")
  String login() {
    return "login";
  }

  @GetMapping("/later")
  Callable<String> later() {
    return () -> "later";
  }

  @GetMapping("/broken")
  String broken() {
    throw new IllegalStateException("broken");
  }

  @GetMapping("/forward")
  void forward(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    request.getRequestDispatcher("/hello").forward(request, response);
  }

  @GetMapping("/stream")
  SseEmitter stream() {
    SseEmitter emitter = new SseEmitter();
    var unused =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 1; i <= 3; i++) {
                  emitter.send("" + i);
                }
                emitter.complete();
              } catch (IOException gone) {
                emitter.completeWithError(gone);
              }
            });
    return emitter;
  }

  @PostMapping("/upload")
  String upload(InputStream body) throws IOException {
    return "" + body.readAllBytes().length;
  }

  @RateLimit(value = "2/m", key = "#who")
  @GetMapping("/limited")
  String limited(@RequestParam("who") String who) {
    return "for " + who;
  }

  @RateLimit(value = "2/m", key = "#who")
  @GetMapping("/limited-later")
  CompletionStage<String> limitedLater(@RequestParam("who") String who) {
    return CompletableFuture.completedStage("for " + who);
  }
}
