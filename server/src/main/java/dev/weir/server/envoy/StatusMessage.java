package dev.weir.server.envoy;

import java.nio.charset.StandardCharsets;

/**
 * Texts of errors in the field {@code grpc-message}: as the protocol of gRPC says, only what is not
 * printable ASCII is percent-encoded, and the percent sign itself.
 */
final class StatusMessage {
  private StatusMessage() {}

  static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each >= ' ' && each <= '~' && each != '%') {
        encoded.append((char) each);
      } else {
        encoded.append("%%%02X".formatted(each));
      }
    }
    return encoded.toString();
  }
}
