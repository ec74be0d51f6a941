package dev.weir.policy.config;

import dev.weir.policy.Cidr;
import java.util.List;

/**
 * The section {@code [client]}: how to find out who is asking.
 *
 * @param trustedProxies the addresses of proxies whose word on the client's address counts
 * @param trustedProxyDepth how many of them may stand in {@code X-Forwarded-For}
 * @param ipv6Prefix how many bits of an IPv6 address tell one client from another, 32 to 128
 * @param apiKeyHeader the header field that API keys come in
 * @param userClaim the claim of a token that names the user
 * @param tierClaim the claim of a token that names the tier
 * @param jwtSecret the secret of tokens signed with HS256, HS384 or HS512; empty: none are accepted
 * @param jwtJwks the URL or file of the keys of other tokens; empty: none are accepted
 */
public record ClientSettings(
    List<Cidr> trustedProxies,
    int trustedProxyDepth,
    int ipv6Prefix,
    String apiKeyHeader,
    String userClaim,
    String tierClaim,
    String jwtSecret,
    String jwtJwks) {
  public ClientSettings {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** Does not tell the secret. */
  @Override
  public String toString() {
    return "ClientSettings[trustedProxies="
        + trustedProxies
        + ", apiKeyHeader="
        + apiKeyHeader
        + "]";
  }
}
