package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of paths: {@code *} or {@code {name}} stands for one segment, {@code **} for any number
 * of them, none included; everything else for itself.
 *
 * <p>Patterns are ordered by how specific they are, the most specific first: at the first segment
 * in which two differ, a literal comes before {@code *}, and that before {@code **}.
 */
public final class PathPattern implements Comparable<PathPattern> {
  static final String ONE = "*";
  static final String ANY = "**";

  private final String text;
  private final List<String> segments;

  private PathPattern(String text, List<String> segments) {
    this.text = text;
    this.segments = List.copyOf(segments);
  }

  /**
   * The pattern with that text.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static PathPattern parse(String text) {
    if (!text.startsWith("/")) {
      throw wrong(text, "must start with /, for example /api/**");
    }
    List<String> segments = new ArrayList<>();
    if (text.length() > 1) {
      for (String segment : text.substring(1).split("/", -1)) {
        segments.add(checked(segment, text));
      }
    }
    for (int i = 1; i < segments.size(); i++) {
      if (segments.get(i).equals(ANY) && segments.get(i - 1).equals(ANY)) {
        throw wrong(text, "must not have ** twice in a row; one of them is enough");
      }
    }
    return new PathPattern(text, segments);
  }

  private static String checked(String segment, String text) {
    if (segment.equals(ONE) || segment.equals(ANY)) {
      return segment;
    }
    if (isNamed(segment)) {
      return ONE;
    }
    if (segment.indexOf('*') >= 0 || segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
      throw wrong(
          text, "must have * and {name} as whole segments only, for example /users/*/posts");
    }
    String path = "/" + segment;
    String canonical;
    try {
      canonical = RequestPath.canonical(path);
    } catch (MalformedRequestException malformed) {
      throw wrong(text, "can never match: " + malformed.getMessage());
    }
    if (segment.isEmpty() || !canonical.equals(path)) {
      throw wrong(
          text,
          canonical.equals("/")
              ? "must not have empty or dot segments, or a slash at the end"
              : "can never match; write \""
                  + canonical.substring(1)
                  + "\" for \""
                  + segment
                  + "\"");
    }
    return segment;
  }

  /** Whether it is {@code {name}}. */
  private static boolean isNamed(String segment) {
    int last = segment.length() - 1;
    if (last < 2 || segment.charAt(0) != '{' || segment.charAt(last) != '}') {
      return false;
    }
    for (int i = 1; i < last; i++) {
      char c = segment.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean isDigit = c >= '0' && c <= '9';
      if (!isLetter && !isDigit && "_.-".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private static IllegalArgumentException wrong(String text, String problem) {
    return new IllegalArgumentException("path \"" + text + "\" " + problem);
  }

  /** The segments; {@code {name}} as {@code *}. */
  List<String> segments() {
    return segments;
  }

  /** A path that it matches. */
  String example() {
    StringBuilder path = new StringBuilder();
    for (String segment : segments) {
      if (!segment.equals(ANY)) {
        path.append('/').append(segment.equals(ONE) ? "x" : segment);
      }
    }
    return path.length() == 0 ? "/" : path.toString();
  }

  /** Whether a canonical path matches. */
  public boolean matches(String path) {
    return new Walk(path).matches();
  }

  /** How many steps it takes to tell whether a canonical path matches, which is what it costs. */
  int steps(String path) {
    Walk walk = new Walk(path);
    walk.matches();
    return walk.steps;
  }

  @Override
  public int compareTo(PathPattern other) {
    int common = Math.min(segments.size(), other.segments.size());
    for (int i = 0; i < common; i++) {
      int difference = rank(segments.get(i)) - rank(other.segments.get(i));
      if (difference != 0) {
        return difference;
      }
    }
    if (segments.size() != other.segments.size()) {
      // Where both match the longer one goes on with **, or the path does not end there.
      boolean isLonger = segments.size() > common;
      String next = (isLonger ? segments : other.segments).get(common);
      return isLonger == next.equals(ANY) ? 1 : -1;
    }
    return text.compareTo(other.text);
  }

  private static int rank(String segment) {
    return segment.equals(ANY) ? 2 : segment.equals(ONE) ? 1 : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /** One comparison: goes back to the last ** only, so its cost is bounded. */
  private final class Walk {
    private final String path;
    private int at = 1;
    private int index;
    private int retryAt = -1;
    private int retryIndex;
    private int steps;

    Walk(String path) {
      this.path = path;
    }

    boolean matches() {
      if (!path.startsWith("/")) {
        return false;
      }
      while (at < path.length()) {
        steps++;
        if (index < segments.size() && segments.get(index).equals(ANY)) {
          retryIndex = ++index;
          retryAt = at;
        } else if (index < segments.size() && matchesHere()) {
          index++;
          at = next(at);
        } else if (retryAt >= 0) {
          retryAt = next(retryAt);
          at = retryAt;
          index = retryIndex;
        } else {
          return false;
        }
      }
      return isAtEnd();
    }

    private boolean isAtEnd() {
      int rest = segments.size() - index;
      return rest == 0 || (rest == 1 && segments.get(index).equals(ANY));
    }

    private boolean matchesHere() {
      String segment = segments.get(index);
      int length = next(at) - 1 - at;
      return segment.equals(ONE) || (segment.length() == length && path.startsWith(segment, at));
    }

    /** Where the segment after the one at {@code from} starts; past the end if there is none. */
    private int next(int from) {
      int slash = path.indexOf('/', from);
      return slash < 0 ? path.length() + 1 : slash + 1;
    }
  }
}
