package dev.weir.testkit.redis;

import dev.weir.testkit.process.Ports;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RedisServer} is to run: lines of {@code redis.conf}, and what the testkit itself
 * must know. Without any, nothing is written to disk, there is no password and no TLS.
 *
 * @param lines lines of {@code redis.conf}, after those of the testkit; the last one wins
 * @param password the password of the default user, or null for none
 * @param certificate with what to listen for TLS, on a port of its own, or null for no TLS
 */
public record RedisConfig(
    List<String> lines, @Nullable String password, @Nullable LoopbackCertificate certificate) {

  /** Checks and copies the lines. */
  public RedisConfig {
    lines = List.copyOf(lines);
    for (String line : lines) {
      if (line.isBlank() || line.lines().count() != 1) {
        throw new IllegalArgumentException("a line must be one line, got \"%s\"".formatted(line));
      }
    }
  }

  /** Nothing on disk, no password, no TLS. */
  public static RedisConfig plain() {
    return new RedisConfig(List.of(), null, null);
  }

  /** The same with more lines, such as {@code maxmemory 4mb}. */
  public RedisConfig with(String... more) {
    List<String> all = new ArrayList<>(lines);
    all.addAll(List.of(more));
    return new RedisConfig(all, password, certificate);
  }

  /** The same with a password for the default user, who may do everything. */
  public RedisConfig withPassword(String newPassword) {
    return new RedisConfig(lines, newPassword, certificate);
  }

  /** The same with one more user, such as {@code "weir", "on >secret ~weir:* +evalsha"}. */
  public RedisConfig withUser(String name, String rules) {
    return with("user " + name + " " + rules);
  }

  /** The same with a second port that speaks TLS and asks clients for no certificate. */
  public RedisConfig withTls(LoopbackCertificate newCertificate) {
    return new RedisConfig(lines, password, newCertificate);
  }

  /** The same with each write on disk before it is answered. */
  public RedisConfig withAppendOnly() {
    return with("appendonly yes", "appendfsync always");
  }

  /** The same as a replica of a server without password, or with the one given here. */
  public RedisConfig replicaOf(RedisServer master) {
    return with("replicaof %s %d".formatted(master.host(), master.port()));
  }

  /**
   * The same, but a master refuses writes unless a replica was heard of within the last second. A
   * master that was frozen or cut off then takes no writes that a failover would lose. Needs two
   * replicas, so that the new master has one as well.
   */
  public RedisConfig fenced() {
    return with("min-replicas-to-write 1", "min-replicas-max-lag 1");
  }

  /** The lines for a sentinel on this port. */
  List<String> sentinelLinesFor(int port) {
    List<String> all = listening(port);
    all.addAll(lines);
    return all;
  }

  /** The lines for a server on these ports. */
  List<String> linesFor(int port, int tlsPort) {
    List<String> all = listening(port);
    all.add("save \"\"");
    all.add("appendonly no");
    // By default a master waits 5 s for further replicas before it feeds the first.
    all.add("repl-diskless-sync-delay 0");
    if (password != null) {
      all.add("requirepass \"" + password + "\"");
      all.add("masterauth \"" + password + "\"");
    }
    if (certificate != null) {
      all.add("tls-port " + tlsPort);
      all.add("tls-cert-file " + certificate.certificate());
      all.add("tls-key-file " + certificate.key());
      all.add("tls-ca-cert-file " + certificate.certificate());
      all.add("tls-auth-clients no");
    }
    all.addAll(lines);
    return all;
  }

  private static List<String> listening(int port) {
    return new ArrayList<>(List.of("bind " + Ports.HOST, "port " + port, "protected-mode no"));
  }
}
