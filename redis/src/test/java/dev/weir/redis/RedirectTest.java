package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedirectTest {

  @Test
  void readsWhereToGo() {
    assertThat(Redirect.in("MOVED 3999 127.0.0.1:6381"))
        .isEqualTo(new Redirect(Redirect.Kind.MOVED, "127.0.0.1", 6381));
    assertThat(Redirect.in("ASK 3999 redis-2.example:6379"))
        .isEqualTo(new Redirect(Redirect.Kind.ASK, "redis-2.example", 6379));
    assertThat(Redirect.in("MOVED 1 2001:db8::1:6379"))
        .isEqualTo(new Redirect(Redirect.Kind.MOVED, "2001:db8::1", 6379));
  }

  @Test
  void leavesOutTheHostOfANodeThatDoesNotKnowIt() {
    assertThat(Redirect.in("MOVED 3999 :6381"))
        .isEqualTo(new Redirect(Redirect.Kind.MOVED, "", 6381));
  }

  @Test
  void readsThatKeysAreOnTheMove() {
    assertThat(Redirect.in("TRYAGAIN Multiple keys request during rehashing of slot"))
        .isEqualTo(new Redirect(Redirect.Kind.TRYAGAIN, "", 0));
  }

  @Test
  void isNothingElse() {
    assertThat(Redirect.in("OOM command not allowed")).isNull();
    assertThat(Redirect.in("MOVED")).isNull();
    assertThat(Redirect.in("MOVED 1 nowhere")).isNull();
    assertThat(Redirect.in("")).isNull();
  }
}
