package dev.weir.testkit.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whom PostgreSQL runs as: whoever runs the test, or nobody where that is root.
 *
 * @param isNobody whether it has to be made nobody
 */
record Unprivileged(boolean isNobody) {
  /** The user and group that own nothing, with the same number on every Linux. */
  private static final int NOBODY = 65_534;

  /** Found out by somebody who has just made that folder. */
  static Unprivileged ownerOf(Path folder) throws IOException {
    return new Unprivileged(Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")));
  }

  /** What comes before a command; it becomes the command and is no process of its own. */
  List<String> prefix() {
    return isNobody
        ? List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--")
        : List.of();
  }

  /** Makes it the owner of a file or folder. */
  void give(Path path) throws IOException {
    if (isNobody) {
      Files.setAttribute(path, "unix:uid", NOBODY);
    }
  }
}
