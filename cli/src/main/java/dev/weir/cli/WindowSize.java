package dev.weir.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How large the window of the terminal is now: people change it while they look. */
final class WindowSize {
  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,3}) ([1-9][0-9]{0,3})\\s*");
  private static final File TERMINAL = new File("/dev/tty");

  private WindowSize() {}

  /** The terminal in the size that it has now; as it was where that cannot be told. */
  static Terminal now(Terminal terminal) {
    // Only the launcher knows whether we write to a terminal.
    if (!Boolean.getBoolean(Terminal.TERMINAL_PROPERTY)) {
      return terminal;
    }
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      Matcher size =
          SIZE.matcher(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
      return size.matches()
          ? terminal.withSize(Integer.parseInt(size.group(2)), Integer.parseInt(size.group(1)))
          : terminal;
    } catch (IOException untold) {
      return terminal;
    }
  }
}
