package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of {@code docs/guides}, as far as its blocks of code are run. A block that is a file names
 * it in a comment on its first line; a block that changes one is found by the heading above.
 */
final class Guide {
  private static final Path FOLDER = Path.of("..", "docs", "guides");
  private static final String FENCE = "```";

  private final String name;
  private final List<Block> blocks;

  /** Code between fences, and the heading it stands under. */
  private record Block(String heading, List<String> lines) {}

  private Guide(String name, List<Block> blocks) {
    this.name = name;
    this.blocks = blocks;
  }

  static Guide read(String name) {
    try {
      return new Guide(name, blocks(Files.readAllLines(FOLDER.resolve(name))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Block> blocks(List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    String heading = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        int end = i + 1;
        while (!lines.get(end).equals(FENCE)) {
          end++;
        }
        blocks.add(new Block(heading, lines.subList(i + 1, end)));
        i = end;
      } else if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ *", "");
      }
    }
    return blocks;
  }

  /** The file whose first line is a comment with that path. */
  ShownFile file(String path) {
    List<Block> found =
        blocks.stream().filter(block -> block.lines.get(0).endsWith(" " + path)).toList();
    assertThat(found).as("%s: blocks that start with the name %s", name, path).hasSize(1);
    return new ShownFile(name + ": " + path, String.join("\n", found.get(0).lines) + "\n");
  }

  /** The change that is shown under that heading. */
  List<String> change(String heading) {
    List<Block> found =
        blocks.stream()
            .filter(block -> block.heading.equals(heading))
            .filter(block -> block.lines.stream().anyMatch(line -> line.startsWith("+")))
            .toList();
    assertThat(found).as("%s: changes under the heading %s", name, heading).hasSize(1);
    return found.get(0).lines;
  }

  /** All blocks that have a line which starts like that, in their order. */
  List<List<String>> blocksWith(String start) {
    return blocks.stream()
        .map(Block::lines)
        .filter(lines -> lines.stream().anyMatch(line -> line.startsWith(start)))
        .toList();
  }
}
