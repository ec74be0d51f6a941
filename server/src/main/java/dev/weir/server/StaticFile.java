package dev.weir.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A file as it is served: read, and compressed, once. */
final class StaticFile {
  private static final int PRINT_LENGTH = 16;

  private final String type;
  private final byte[] plain;
  private final byte[] packed;
  private final String print;

  /**
   * The file.
   *
   * @throws IllegalStateException if its name does not tell of which type it is
   */
  StaticFile(String name, byte[] content) {
    this.type = typeOf(name);
    this.plain = content.clone();
    this.packed = pack(content);
    this.print = print(content);
  }

  private static String typeOf(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "png" -> "image/png";
      default -> throw new IllegalStateException(name + " must be html, css, js, svg or png");
    };
  }

  private static byte[] pack(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (Packer packer = new Packer(packed)) {
      packer.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }

  /** Takes its time, since it is done once. */
  private static final class Packer extends GZIPOutputStream {
    Packer(ByteArrayOutputStream target) throws IOException {
      super(target);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static String print(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(hash).substring(0, PRINT_LENGTH);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** For a Content-Type field. */
  String type() {
    return type;
  }

  byte[] plain() {
    return plain;
  }

  /** By gzip. */
  byte[] packed() {
    return packed;
  }

  /** The same whether compressed or not, so that it is a weak one. */
  String etag() {
    return "W/\"" + print + "\"";
  }

  /** Whether a caller has it, as its If-None-Match says. */
  boolean isKnownBy(@Nullable String ifNoneMatch) {
    return ifNoneMatch != null && ifNoneMatch.contains("\"" + print + "\"");
  }
}
