package dev.weir.policy.config;

/**
 * The section {@code [database]}.
 *
 * @param url a JDBC URL; empty: an embedded database
 * @param user the user; empty: none
 * @param password the password; empty: none
 */
public record DatabaseSettings(String url, String user, String password) {
  /** Does not tell secrets. */
  @Override
  public String toString() {
    return "DatabaseSettings[" + "user=" + user + "]";
  }
}
