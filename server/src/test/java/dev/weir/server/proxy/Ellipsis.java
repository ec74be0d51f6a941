package dev.weir.server.proxy;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Output on a page, in which an ellipsis stands for whatever there is. */
final class Ellipsis {
  private Ellipsis() {}

  static boolean matches(String shown, String printed) {
    String pattern =
        Stream.of(shown.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(printed).matches();
  }
}
