package dev.weir.server;

import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The files of the dashboard. They are its own, which {@code files.txt} among them names, and those
 * of the libraries that it uses. Nothing else is served, whatever a path says. Browsers are told to
 * let these pages load from here and talk to here, and nothing more.
 */
final class Dashboard {
  private static final String FOLDER = "dashboard/";
  private static final String LIST = "files.txt";
  private static final String INDEX = "index.html";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

  private final Map<String, StaticFile> files = new HashMap<>();

  /** The dashboard of this build. */
  Dashboard() {
    this(FOLDER);
  }

  /** The dashboard whose own files are in that folder. */
  Dashboard(String folder) {
    for (String name : text(folder + LIST).lines().toList()) {
      if (!name.isBlank()) {
        files.put(name, new StaticFile(name, bytes(folder + name)));
      }
    }
    add("preact.module.js", library("preact", "dist/preact.module.js"));
    // By a bare name a browser finds nothing without a map, and a map would be an inline script.
    add(
        "hooks.module.js",
        library("preact", "hooks/dist/hooks.module.js")
            .replace("\"preact\"", "\"./preact.module.js\""));
    add("chart.umd.min.js", library("chart.js", "dist/chart.umd.min.js"));
  }

  private void add(String name, String text) {
    files.put(name, new StaticFile(name, text.getBytes(StandardCharsets.UTF_8)));
  }

  /** A file of a library, in the version that the build has. */
  private static String library(String name, String file) {
    Properties about = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars.npm/" + name + "/pom.properties")) {
      about.load(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    String version = about.getProperty("version");
    return text("/META-INF/resources/webjars/%s/%s/%s".formatted(name, version, file));
  }

  private static String text(String resource) {
    return new String(bytes(resource), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = open(resource)) {
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static InputStream open(String resource) {
    InputStream in = Dashboard.class.getResourceAsStream(resource);
    if (in == null) {
      throw new IllegalStateException(resource + " is missing");
    }
    return in;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/", Access.OPEN, exchange -> serve(exchange, INDEX)),
        Route.get(
            "/dashboard/{file}",
            Access.OPEN,
            exchange -> exchange.guarded(() -> serve(exchange, exchange.parameter()))));
  }

  private void serve(Exchange exchange, String name) {
    exchange.put("Content-Security-Policy", POLICY);
    exchange.put("X-Content-Type-Options", "nosniff");
    exchange.put("Referrer-Policy", "no-referrer");
    exchange.put("X-Frame-Options", "DENY");
    StaticFile file = files.get(name);
    if (file == null) {
      exchange.fail(404, "path", "there is nothing at " + exchange.path());
      return;
    }
    exchange.put(HttpHeaders.CACHE_CONTROL, "no-cache");
    exchange.put(HttpHeaders.VARY, "Accept-Encoding");
    exchange.put(HttpHeaders.ETAG, file.etag());
    if (file.isKnownBy(exchange.field(HttpHeaders.IF_NONE_MATCH))) {
      exchange.end(304);
    } else if (takesGzip(exchange.field(HttpHeaders.ACCEPT_ENCODING))) {
      exchange.put(HttpHeaders.CONTENT_ENCODING, "gzip");
      exchange.end(200, file.type(), file.packed());
    } else {
      exchange.end(200, file.type(), file.plain());
    }
  }

  private static boolean takesGzip(@Nullable String encodings) {
    if (encodings == null) {
      return false;
    }
    for (String encoding : encodings.split(",", -1)) {
      String[] parts = encoding.split(";", -1);
      boolean isRefused = parts.length > 1 && isNone(parts[1].strip());
      if (parts[0].strip().equalsIgnoreCase("gzip") && !isRefused) {
        return true;
      }
    }
    return false;
  }

  /** Whether a weight is {@code q=0}, with however many zeros behind it. */
  private static boolean isNone(String weight) {
    return weight.startsWith("q=0")
        && weight.chars().skip("q=".length()).allMatch(c -> c == '0' || c == '.');
  }
}
