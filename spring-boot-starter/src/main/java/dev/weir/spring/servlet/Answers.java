package dev.weir.spring.servlet;

import dev.weir.http.Answer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes refusals. */
final class Answers {
  private Answers() {}

  static void write(HttpServletRequest http, HttpServletResponse response, Answer answer)
      throws IOException {
    answer.fields().forEach(response::setHeader);
    if (hasBody(http) && http.getProtocol().startsWith("HTTP/1")) {
      // Else the container would read all of it, to find the next request behind it.
      response.setHeader("Connection", "close");
    }
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    response.setCharacterEncoding(StandardCharsets.UTF_8.name().toLowerCase(Locale.ROOT));
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static boolean hasBody(HttpServletRequest http) {
    return http.getContentLengthLong() > 0 || http.getHeader("Transfer-Encoding") != null;
  }
}
