package dev.weir.control.keys;

import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.quotas.StoredUsers;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.testing.Databases;
import dev.weir.policy.ApiKeys;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All that an instance has to do with keys and users. */
final class Instance implements AutoCloseable {
  private static final TimeSource TIME = TimeSource.system();

  final Database database;
  final Changes changes;
  final KeyStore keyStore;
  final QuotaStore quotaStore;
  final StoredKeys keys;
  final StoredUsers users;
  final ChangeFeed feed;

  Instance(Databases.Source source, ChangeFeed.Intervals intervals) {
    database = source.open();
    changes = new Changes(database, TIME);
    keyStore = new KeyStore(database, changes);
    quotaStore = new QuotaStore(database, changes, TIME);
    keys = new StoredKeys(database, CacheOptions.defaults(), TIME);
    users = new StoredUsers(database, CacheOptions.defaults(), TIME, (user, used) -> {});
    feed = new ChangeFeed(database, intervals);
    feed.listen(keys::changed);
    feed.listen(users::changed);
    changes.onChange(feed::wake);
    feed.start();
  }

  ApiKeys.@Nullable ApiKey waitAndFind(String key) {
    CompletionStage<?> stage = keys.awaited(key);
    if (stage != null) {
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
    return keys.find(key);
  }

  @Override
  public void close() {
    feed.close();
    keys.close();
    users.close();
    database.close();
  }
}
