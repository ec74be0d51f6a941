package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What INFO says, in the words of several versions. */
class ServerInfoTest {
  private static final String REDIS_7_0 =
      """
      # Server
      redis_version:7.0.15
      redis_git_sha1:00000000
      redis_mode:standalone
      run_id:2dbf563be0786a1d63cd2fa74f58bd5356d8d007
      tcp_port:6379
      executable:/usr/bin/redis-server
      config_file:

      # Memory
      used_memory:1050992
      maxmemory:0
      maxmemory_human:0B
      maxmemory_policy:noeviction

      # Stats
      expired_keys:12
      evicted_keys:34
      evicted_clients:0

      # Replication
      role:master
      connected_slaves:1
      slave0:ip=127.0.0.1,port=6380,state=online,offset=14,lag=0
      min_slaves_good_slaves:1
      master_failover_state:no-failover
      """;

  private static final String REDIS_6_2 =
      """
      # Server
      redis_version:6.2.20
      run_id:b1a9d4f36f3fb61dd9a0bb1ba6fc5a0ff0dfc6c1

      # Memory
      maxmemory:4194304
      maxmemory_human:4.00M
      maxmemory_policy:allkeys-lru

      # Replication
      role:master
      connected_slaves:0
      """;

  private static final String VALKEY_8_1 =
      """
      # Server
      redis_version:7.2.4
      server_name:valkey
      valkey_version:8.1.4
      valkey_release_stage:ga
      server_mode:standalone
      run_id:77b4ad4bd96bd2f4c2c1d0a4a2f3e94d0f7b5e77
      """;

  /** As it goes over the wire. */
  private static ServerInfo read(String text) {
    return new ServerInfo(text.replace("\n", "\r\n"));
  }

  private static List<String> warningsOf(String name, String value) {
    return read("# Server\n%s:%s\n".formatted(name, value)).warnings(false);
  }

  @Test
  void readsWhatRedisSays() {
    ServerInfo info = read(REDIS_7_0);

    assertThat(info.version()).hasToString("Redis 7.0.15");
    assertThat(info.evictedKeys()).isEqualTo(34);
    assertThat(info.isSameRun(read(REDIS_7_0))).isTrue();
    assertThat(info.isSameRun(read(REDIS_6_2))).isFalse();
  }

  @Test
  @DisplayName("Valkey is not the Redis that it says it is")
  void readsWhatValkeySays() {
    assertThat(read(VALKEY_8_1).version()).hasToString("Valkey 8.1.4");
    assertThat(read(VALKEY_8_1).warnings(false)).isEmpty();
  }

  @Test
  void warnsOfEviction() {
    assertThat(read(REDIS_6_2).warnings(false))
        .containsExactly(
            "maxmemory-policy is allkeys-lru: when memory is full, counters are thrown away and"
                + " their clients start anew; set it to noeviction");
  }

  @Test
  void doesNotWarnOfEvictionThatCannotBe() {
    assertThat(read(REDIS_6_2.replace("allkeys-lru", "noeviction")).warnings(false)).isEmpty();
    assertThat(read(REDIS_6_2.replace("4194304", "0")).warnings(false)).isEmpty();
  }

  @Test
  void warnsOfAMasterThatGoesOnAlone() {
    String unfenced = REDIS_6_2.replace("allkeys-lru", "noeviction");

    assertThat(read(unfenced).warnings(true))
        .containsExactly(
            "min-replicas-to-write is not set: a master that is cut off goes on counting, and what"
                + " it counts is lost when another takes over; set it to 1, and"
                + " min-replicas-max-lag too");
    assertThat(read(unfenced).warnings(false)).isEmpty();
    assertThat(read(REDIS_7_0).warnings(true))
        .noneMatch(warning -> warning.startsWith("min-replicas"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.8.24", "5.0.14", "6.0.16", "6.0.999"})
  void warnsOfOldVersions(String version) {
    assertThat(warningsOf("redis_version", version))
        .containsExactly(
            "Redis %s is older than 6.2, the oldest that this store is for".formatted(version));
  }

  @ParameterizedTest
  @CsvSource({
    "redis_version, Redis, 6.2.19, 6.2.20",
    "redis_version, Redis, 7.2.10, 7.2.11",
    "redis_version, Redis, 7.4.5, 7.4.6",
    "redis_version, Redis, 8.0.3, 8.0.4",
    "redis_version, Redis, 8.2.1, 8.2.2",
    "valkey_version, Valkey, 7.2.10, 7.2.11",
    "valkey_version, Valkey, 8.0.5, 8.0.6",
    "valkey_version, Valkey, 8.1.3, 8.1.4",
  })
  @DisplayName("scripts can break out of the last version before each fix (T62)")
  void warnsOfScriptBugs(String field, String product, String last, String fixed) {
    assertThat(warningsOf(field, last))
        .containsExactly(
            "%s %s may have bugs by which scripts run any code (CVE-2025-49844 and others); %s has not"
                .formatted(product, last, fixed));
    assertThat(warningsOf(field, fixed)).isEmpty();
  }

  @Test
  @DisplayName("there is no fixed 7.0, but distributions have patched theirs (T62)")
  void warnsOfALineWithoutAFix() {
    assertThat(read(REDIS_7_0).warnings(true))
        .containsExactly(
            "Redis 7.0.15 may have bugs by which scripts run any code (CVE-2025-49844 and others);"
                + " no 7.0 was published without, but distributions patch theirs");
  }

  @ParameterizedTest
  @CsvSource({"redis_version, 8.4.0", "redis_version, 255.255.255", "valkey_version, 9.0.0"})
  void findsNothingInNewVersions(String field, String version) {
    assertThat(warningsOf(field, version)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no lines",
        "redis_version:",
        "redis_version:seven",
        "redis_version:99999999999.0.0",
        "evicted_keys:-\nmaxmemory:x\nmaxmemory_policy:allkeys-lru",
        ":::\n:\n#"
      })
  void leavesOutWhatItDoesNotUnderstand(String odd) {
    ServerInfo info = read(odd);

    assertThat(info.version()).isNull();
    assertThat(info.evictedKeys()).isZero();
    assertThat(info.warnings(false)).isEmpty();
  }
}
