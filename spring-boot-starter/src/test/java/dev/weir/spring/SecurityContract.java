package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** What holds behind and before Spring Security. */
abstract class SecurityContract {
  private static final String ALICE = basic("alice:secret");
  private static final String BOB = basic("bob:secret");
  private static final String MALLORY = basic("alice:guess");

  static class People {
    private static UserDetails user(String name) {
      return User.withUsername(name).password("{noop}secret").roles("USER").build();
    }

    @Bean
    UserDetailsService people() {
      return new InMemoryUserDetailsManager(user("alice"), user("bob"));
    }
  }

  static class ReactivePeople {
    @Bean
    MapReactiveUserDetailsService people() {
      return new MapReactiveUserDetailsService(People.user("alice"), People.user("bob"));
    }
  }

  private static String basic(String pair) {
    return "Authorization: Basic "
        + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.ISO_8859_1));
  }

  static TestApplication servlet(String... properties) {
    return TestApplication.secured(
        TestApplication.Server.TOMCAT, List.of(ServletControllers.class, People.class), properties);
  }

  static TestApplication reactive(String... properties) {
    return TestApplication.secured(
        TestApplication.Server.NETTY,
        List.of(ReactiveControllers.class, ReactivePeople.class),
        properties);
  }

  abstract TestApplication start(String... properties);

  private static int status(TestApplication application, String... fields) {
    return WebContract.get(application, "/hello", fields).status();
  }

  @Test
  void usersAreCountedByTheirNamesAndWhoIsRejectedByTheAddress() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      String guesser = "X-Forwarded-For: 192.0.2.66";
      for (int i = 0; i < 6; i++) {
        assertThat(status(application, MALLORY, guesser)).isEqualTo(i < 3 ? 401 : 429);
      }
      // Before authentication nobody knows who this is.
      assertThat(status(application, ALICE, guesser)).isEqualTo(429);
      assertThat(status(application, guesser)).isEqualTo(429);
      for (int i = 0; i < 5; i++) {
        assertThat(status(application, ALICE)).isEqualTo(i < 3 ? 200 : 429);
      }
      RawHttp.Reply reply = WebContract.get(application, "/hello", BOB);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).containsIgnoringCase("X-RateLimit-Remaining: 2\r\n");
    }
  }

  @Test
  void usersDoNotUseUpTheirAddress() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      for (int i = 0; i < 2; i++) {
        assertThat(status(application, MALLORY)).isEqualTo(401);
        assertThat(status(application, ALICE)).isEqualTo(200);
        assertThat(status(application, BOB)).isEqualTo(200);
      }
      assertThat(status(application, MALLORY)).isEqualTo(401);
      assertThat(status(application, MALLORY)).isEqualTo(429);
    }
  }

  @Test
  void aLimitByAddressHoldsBeforeAnybodyIsAuthenticated() {
    try (TestApplication application =
        start(
            "ratelimit.endpoint[0].name=hello",
            "ratelimit.endpoint[0].paths=/hello",
            "ratelimit.endpoint[0].limit=3/m",
            "ratelimit.endpoint[0].scope=ip")) {
      for (int i = 0; i < 6; i++) {
        assertThat(status(application, MALLORY)).isEqualTo(i < 3 ? 401 : 429);
      }
      assertThat(status(application, ALICE)).isEqualTo(429);
    }
  }

  @Test
  void behindSpringSecurityUsersAreKnownAtOnce() {
    try (TestApplication application =
        start("ratelimit.requests-per-minute=2", "ratelimit.filter.order=-40")) {
      for (int i = 0; i < 4; i++) {
        assertThat(status(application, ALICE)).isEqualTo(i < 2 ? 200 : 429);
      }
      assertThat(status(application, BOB)).isEqualTo(200);
    }
  }
}
