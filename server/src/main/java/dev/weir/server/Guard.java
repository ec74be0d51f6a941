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
  private final byte @Nullable [] read;
  private final byte @Nullable [] check;
  private final byte @Nullable [] metrics;

  Guard(ServerSettings settings) {
    this.admin = print(settings.adminToken());
    this.read = print(settings.readToken());
    this.check = print(settings.checkToken());
    this.metrics = print(settings.metricsToken());
  }

  /** What may be wrong with a caller. */
  enum Refusal {
    /** It shows no token, or not the right one. */
    TOKEN,
    /** It may be a web page. */
    ORIGIN,
    /** It may look, but not do that. */
    READER,
    /** Too many wrong tokens came from its address. */
    ATTEMPTS,
    /** It shows a session, but may be a page that is not ours. */
    SITE,
    /** It shows a session, but not what only our own pages know. */
    CSRF
  }

  /** Whether everybody may have that, so that nobody need be asked for anything. */
  boolean isForAll(Access access) {
    return switch (access) {
      case OPEN -> true;
      case METRICS -> metrics == null;
      case CHECK -> check == null;
      case CALLER, ASKER, READER, ADMIN -> false;
    };
  }

  /** Whether people have to log in. */
  boolean hasLogin() {
    return admin != null;
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
              : mayCheck(authorization) ? null : refusal(access, roleShownBy(authorization));
      case ASKER ->
          mayCheck(authorization)
              ? null
              : admin == null
                  ? originRefusal(host, origin)
                  : refusal(access, roleShownBy(authorization));
      case READER, ADMIN ->
          admin == null ? originRefusal(host, origin) : refusal(access, roleShownBy(authorization));
    };
  }

  /** Why somebody of that role, null for none, may not have that; null if it may. */
  static @Nullable Refusal refusal(Access access, @Nullable Role role) {
    if (role == null) {
      return Refusal.TOKEN;
    }
    boolean isForReaders = access == Access.READER || access == Access.ASKER;
    return role == Role.ADMIN || isForReaders ? null : Refusal.READER;
  }

  /** The role of who shows that field; null if it has none. */
  @Nullable Role roleShownBy(@Nullable String authorization) {
    String token = bearerToken(authorization);
    return token == null ? null : roleOf(token);
  }

  /** The role of who knows that token; null if it is neither of the two. */
  @Nullable Role roleOf(String token) {
    byte[] shown = print(token);
    boolean isAdmin = isEqual(shown, admin);
    boolean isReader = isEqual(shown, read);
    return isAdmin ? Role.ADMIN : isReader ? Role.READER : null;
  }

  /** Whether that print of a token, as {@link #printOf} gave it, is still that of the role. */
  boolean isCurrent(Role role, byte[] print) {
    return isEqual(print, role == Role.ADMIN ? admin : read);
  }

  /** What is remembered of the token of a role; empty if it has none. */
  byte[] printOf(Role role) {
    byte[] print = role == Role.ADMIN ? admin : read;
    return print == null ? new byte[0] : print.clone();
  }

  private boolean mayCheck(@Nullable String authorization) {
    boolean isChecker = shows(authorization, check);
    boolean isAdmin = shows(authorization, admin);
    return isChecker || isAdmin;
  }

  private static boolean shows(@Nullable String authorization, byte @Nullable [] expected) {
    String token = expected == null ? null : bearerToken(authorization);
    return token != null && isEqual(print(token), expected);
  }

  /** The token of a field {@code Authorization: Bearer}; null if it shows none. */
  static @Nullable String bearerToken(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : null;
  }

  private static boolean isEqual(byte @Nullable [] shown, byte @Nullable [] expected) {
    return shown != null && expected != null && MessageDigest.isEqual(shown, expected);
  }

  /** Prints are compared in place of tokens: they are equally long, whatever is sent. */
  static byte @Nullable [] print(String token) {
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
