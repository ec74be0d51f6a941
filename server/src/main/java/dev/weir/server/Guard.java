package dev.weir.server;

import dev.weir.policy.config.ServerSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Says who may ask what. With tokens, by the token. Without an admin token the service listens on
 * loopback only; then what is protected is answered to programs on this machine, but not to web
 * pages that a browser on this machine shows: they are told by the host or the origin that the
 * browser names.
 */
final class Guard {
  private static final String BEARER = "bearer ";

  private final byte @Nullable [] admin;
  private final byte @Nullable [] check;
  private final byte @Nullable [] metrics;

  Guard(ServerSettings settings) {
    this.admin = print(settings.adminToken());
    this.check = print(settings.checkToken());
    this.metrics = print(settings.metricsToken());
  }

  /** What may be wrong with a caller. */
  enum Refusal {
    /** It shows no token, or not the right one. */
    TOKEN,
    /** It may be a web page. */
    ORIGIN
  }

  /** Whether everybody may have that, so that nobody need be asked for anything. */
  boolean isForAll(Access access) {
    return switch (access) {
      case OPEN -> true;
      case METRICS -> metrics == null;
      case CHECK -> check == null;
      case CALLER, ADMIN -> false;
    };
  }

  /**
   * Why the caller may not have that; null if it may.
   *
   * @param authorization the field of that name, if there is one
   * @param host the host that the caller believes to talk to
   * @param origin the field of that name, if there is one
   */
  @Nullable Refusal refusal(
      Access access,
      @Nullable String authorization,
      @Nullable String host,
      @Nullable String origin) {
    if (isForAll(access)) {
      return null;
    }
    return switch (access) {
      case OPEN -> null;
      case METRICS -> shows(authorization, metrics) ? null : Refusal.TOKEN;
      case CHECK -> mayCheck(authorization) ? null : Refusal.TOKEN;
      case CALLER ->
          check == null && admin == null
              ? originRefusal(host, origin)
              : mayCheck(authorization) ? null : Refusal.TOKEN;
      case ADMIN ->
          admin == null
              ? originRefusal(host, origin)
              : shows(authorization, admin) ? null : Refusal.TOKEN;
    };
  }

  private boolean mayCheck(@Nullable String authorization) {
    boolean isChecker = shows(authorization, check);
    boolean isAdmin = shows(authorization, admin);
    return isChecker || isAdmin;
  }

  private static boolean shows(@Nullable String authorization, byte @Nullable [] expected) {
    if (authorization == null
        || expected == null
        || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return false;
    }
    byte[] shown = print(authorization.substring(BEARER.length()).strip());
    return shown != null && MessageDigest.isEqual(shown, expected);
  }

  /** Prints are compared in place of tokens: they are equally long, whatever is sent. */
  private static byte @Nullable [] print(String token) {
    if (token.isEmpty()) {
      return null;
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  private static @Nullable Refusal originRefusal(@Nullable String host, @Nullable String origin) {
    boolean isOurs =
        host != null
            && ListenAddress.isLoopback(withoutPort(host))
            && (origin == null || origin.equalsIgnoreCase("http://" + host));
    return isOurs ? null : Refusal.ORIGIN;
  }

  private static String withoutPort(String host) {
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end < 0 ? host : host.substring(1, end);
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }
}
