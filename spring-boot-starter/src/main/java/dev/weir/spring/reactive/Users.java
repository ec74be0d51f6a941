package dev.weir.spring.reactive;

import java.security.Principal;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.util.ClassUtils;

/** Tells users from those whom Spring Security only calls so. */
final class Users {
  private static final boolean IS_SECURITY_THERE =
      ClassUtils.isPresent(
          "org.springframework.security.authentication.AnonymousAuthenticationToken",
          Users.class.getClassLoader());

  private Users() {}

  /** Whether that is somebody in particular. */
  static boolean isKnown(Principal principal) {
    return !IS_SECURITY_THERE || !Anonymous.is(principal);
  }

  /** Not loaded where there is no Spring Security. */
  private static final class Anonymous {
    static boolean is(Principal principal) {
      return principal instanceof AnonymousAuthenticationToken;
    }
  }
}
