package dev.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the documentation, as far as its tests look at it: code between fences, links and
 * headings.
 *
 * @param name the path from the root of the repository
 * @param lines its lines
 */
record MarkdownPage(String name, List<String> lines) {

  private static final String FENCE = "```";
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");

  /**
   * Code between fences.
   *
   * @param language what stands behind the opening fence; may be empty
   * @param line the number of the first line of code, from 1
   * @param lines the code
   * @param follows whether nothing but blank lines is between this block and the one before
   */
  record Block(String language, int line, List<String> lines, boolean follows) {
    String text() {
      return String.join("\n", lines);
    }
  }

  /** The target of a link, and the line it is on. */
  record Link(String target, int line) {}

  static MarkdownPage read(Path root, Path file) {
    try {
      String name = root.relativize(file).toString().replace('\\', '/');
      return new MarkdownPage(name, Files.readAllLines(file));
    } catch (IOException unreadable) {
      throw new AssertionError(file + " cannot be read", unreadable);
    }
  }

  /** The place of a line, as messages begin with. */
  String at(int line) {
    return name + ":" + line;
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    boolean follows = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        int end = endOfBlock(i);
        String language = line.substring(FENCE.length()).strip();
        blocks.add(new Block(language, i + 2, lines.subList(i + 1, end), follows));
        follows = true;
        i = end;
      } else if (!line.isBlank()) {
        follows = false;
      }
    }
    return blocks;
  }

  private int endOfBlock(int start) {
    for (int i = start + 1; i < lines.size(); i++) {
      if (lines.get(i).strip().equals(FENCE)) {
        return i;
      }
    }
    throw new AssertionError(at(start + 1) + ": the block that starts here has no end");
  }

  List<Link> links() {
    List<Link> links = new ArrayList<>();
    List<String> prose = prose();
    for (int i = 0; i < prose.size(); i++) {
      Matcher matcher = LINK.matcher(INLINE_CODE.matcher(prose.get(i)).replaceAll("code"));
      while (matcher.find()) {
        links.add(new Link(matcher.group(1), i + 1));
      }
    }
    return links;
  }

  /** What links to the headings of this page can name. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String line : prose()) {
      Matcher matcher = HEADING.matcher(line);
      if (matcher.matches()) {
        String anchor =
            matcher
                .group(1)
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  /** The lines, those of blocks left empty. */
  private List<String> prose() {
    List<String> prose = new ArrayList<>(lines);
    for (Block block : blocks()) {
      for (int i = 0; i < block.lines.size(); i++) {
        prose.set(block.line - 1 + i, "");
      }
    }
    return prose;
  }
}
