package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStoreException.Kind;
import org.junit.jupiter.api.Test;

class ErrorReplyTest {

  @Test
  void readsTheCodeOfAnErrorInAScript() {
    String redis6 =
        "ERR Error running script (call to f_0a1b): @user_script:7: @user_script: 7: "
            + "-READONLY You can't write against a read only replica.";
    String redis7 =
        "READONLY You can't write against a read only replica. script: 0a1b, on @user_script:7.";

    assertThat(ErrorReply.isFromReplica(redis6)).isTrue();
    assertThat(ErrorReply.isFromReplica(redis7)).isTrue();
    assertThat(ErrorReply.kindOf(redis6)).isEqualTo(Kind.TRANSIENT);
  }

  @Test
  void takesAnUnknownErrorForAMatterOfSettings() {
    assertThat(ErrorReply.kindOf("ERR unknown command 'EVALSHA'")).isEqualTo(Kind.CONFIGURATION);
    assertThat(ErrorReply.kindOf("WHATEVER")).isEqualTo(Kind.CONFIGURATION);
  }

  @Test
  void findsTheErrorBehindOtherFailures() {
    assertThat(ErrorReply.in(new IllegalStateException("no connection"))).isNull();
    assertThat(ErrorReply.in(null)).isNull();
  }
}
