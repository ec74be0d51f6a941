package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients with limits of their own. */
final class TestOwner {
  private TestOwner() {}

  /** The client with a key that has these limits. */
  static Client withKey(Client client, String key, String... limits) {
    return client.withKey(new ApiKeys.ApiKey(key, null, null, parsed(limits)));
  }

  /** The client with a user that has these limits, and perhaps a quota. */
  static Client withUser(
      Client client, String user, @Nullable Long monthlyQuota, String... limits) {
    return client.withUser(
        new Users.User(user, null, OwnLimits.ofUser(parsed(limits), monthlyQuota)));
  }

  private static List<Limit> parsed(String... limits) {
    return Stream.of(limits).map(Limit::parse).toList();
  }
}
