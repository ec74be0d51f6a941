package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.weir.cli.MarkdownPage.Block;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs what the pages at the root and under {@code docs/} show.
 *
 * <ul>
 *   <li>{@code java}: compiled and run; it must print exactly the {@code text} block that directly
 *       follows, or nothing if none does
 *   <li>{@code sh}: see {@link ShellSession}
 *   <li>{@code toml}: a right configuration; or, if its first line is {@code # name.toml}, right or
 *       not, a file for the commands that follow on the page
 *   <li>{@code text} whose first line is {@code # name.log}: the rest is a log for the commands
 *       that follow on the page
 *   <li>{@code xml}: names the present version of Weir
 *   <li>{@code bash}: commands that are shown, and not run
 *   <li>{@code properties}, and the {@code java} of guides for frameworks: run by tests of their
 *       own
 *   <li>{@code console}, configurations of other programs, and changes of these ({@code diff}): run
 *       by tests of their own
 * </ul>
 */
class DocsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FILE_NAME = Pattern.compile("# ([a-z-]+\\.toml)");
  private static final Pattern LOG_NAME = Pattern.compile("# ([a-z-]+\\.log)");
  private static final Duration LONGEST_RUN = Duration.ofMinutes(2);
  private static final Set<String> LANGUAGES =
      Set.of(
          "java",
          "sh",
          "text",
          "toml",
          "xml",
          "",
          "nginx",
          "caddyfile",
          "haproxy",
          "lua",
          "ini",
          "properties",
          "yaml",
          "json",
          "http",
          "diff",
          "console",
          "bash");

  /** Pages whose Java needs what is not here; tests where it is compile and run it. */
  private static final Set<String> OF_FRAMEWORKS =
      Set.of("docs/guides/spring-boot.md", "docs/guides/migrating-to-the-starter.md");

  private static final List<PageService> SERVICES = new ArrayList<>();

  @AfterAll
  static void stopServices() {
    SERVICES.forEach(PageService::close);
  }

  @TestFactory
  List<DynamicTest> snippets(@TempDir Path folder) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    List<JavaSnippet> snippets = new ArrayList<>();
    AtomicBoolean isCompiled = new AtomicBoolean();
    Path classes = Files.createDirectory(folder.resolve("classes"));
    for (MarkdownPage page : pages()) {
      Path files = Files.createDirectories(folder.resolve("of").resolve(page.name()));
      PageService service = new PageService(files);
      SERVICES.add(service);
      List<Block> blocks = page.blocks();
      for (int i = 0; i < blocks.size(); i++) {
        Block block = blocks.get(i);
        String name = "%s %s".formatted(page.at(block.line()), block.language());
        assertThat(LANGUAGES).as(page.at(block.line() - 1)).contains(block.language());
        switch (block.language()) {
          case "java" -> {
            if (OF_FRAMEWORKS.contains(page.name())) {
              continue;
            }
            boolean isAnswered = i + 1 < blocks.size() && isOutput(blocks.get(i + 1));
            String output = isAnswered ? blocks.get(i + 1).text() + "\n" : "";
            JavaSnippet snippet = new JavaSnippet(page, block, "Snippet" + snippets.size());
            snippets.add(snippet);
            tests.add(dynamicTest(name, () -> check(snippet, output, classes, isCompiled.get())));
          }
          case "sh" ->
              tests.add(
                  dynamicTest(name, () -> new ShellSession(page, block, files, service).check()));
          case "toml" -> {
            Matcher file = FILE_NAME.matcher(block.lines().get(0));
            if (file.matches()) {
              write(page, block, files.resolve(file.group(1)));
            } else {
              tests.add(dynamicTest(name, () -> checkConfiguration(page, block)));
            }
          }
          case "text" -> {
            Matcher log = LOG_NAME.matcher(block.lines().get(0));
            if (log.matches()) {
              Path file = files.resolve(log.group(1));
              Files.write(file, block.lines().subList(1, block.lines().size()));
            }
          }
          case "xml" -> tests.add(dynamicTest(name, () -> checkVersion(page, block)));
          default -> {}
        }
      }
    }
    isCompiled.set(JavaSnippet.compileTogether(snippets, classes));
    return tests;
  }

  /** The file is there before any snippet runs; commands that name it show what is in it. */
  private static void write(MarkdownPage page, Block block, Path file) throws IOException {
    assertThat(file).as("%s: is the name of two files", page.at(block.line())).doesNotExist();
    Files.writeString(file, block.text() + "\n");
    assertThat(page.blocks())
        .as("%s: no command names the file", page.at(block.line()))
        .anyMatch(
            other ->
                other.language().equals("sh")
                    && other.line() > block.line()
                    && other.text().contains(" " + file.getFileName()));
  }

  private static void checkConfiguration(MarkdownPage page, Block block) {
    Config config = ConfigReader.parse(block.text(), page.at(block.line()), Map.of());
    assertThat(config.warnings()).isEmpty();
  }

  private static boolean isOutput(Block block) {
    return block.language().equals("text") && block.follows();
  }

  private static void check(JavaSnippet snippet, String output, Path classes, boolean isCompiled)
      throws InterruptedException {
    String place = snippet.page().at(snippet.block().line());
    FutureTask<String> run =
        new FutureTask<>(() -> isCompiled ? snippet.run(classes) : snippet.compileAndRun(classes));
    Thread thread = new Thread(run, place);
    thread.setDaemon(true);
    thread.start();
    try {
      String printed = run.get(LONGEST_RUN.toSeconds(), TimeUnit.SECONDS);
      assertThat(printed).as("%s: prints", place).isEqualTo(output);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof AssertionError wrong
          ? wrong
          : new AssertionError(place + ": " + failed.getCause(), failed);
    } catch (TimeoutException running) {
      throw new AssertionError(place + ": still running", running);
    }
  }

  private static void checkVersion(MarkdownPage page, Block block) {
    String version = new Weir.Version().getVersion()[0].replace("weir ", "");
    assertThat(block.text())
        .as(page.at(block.line()))
        .contains("<groupId>dev.weir</groupId>", "<version>" + version + "</version>");
  }

  @TestFactory
  Stream<DynamicTest> links() throws IOException {
    return pages().stream().map(page -> dynamicTest(page.name(), () -> checkLinks(page)));
  }

  private static void checkLinks(MarkdownPage page) {
    List<String> wrong = new ArrayList<>();
    for (MarkdownPage.Link link : page.links()) {
      if (!leadsSomewhere(page, link.target())) {
        wrong.add(page.at(link.line()) + ": " + link.target() + " leads nowhere");
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean leadsSomewhere(MarkdownPage page, String target) {
    if (target.matches("[a-z]+:.*")) {
      return target.startsWith("https:");
    }
    String[] parts = target.split("#", 2);
    Path here = ROOT.resolve(page.name());
    Path file = parts[0].isEmpty() ? here : here.resolveSibling(parts[0]).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    return parts.length == 1 || MarkdownPage.read(ROOT, file).anchors().contains(parts[1]);
  }

  @Test
  void readmeIsShort() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md")))
        .as("README.md: its number of lines")
        .hasSizeLessThan(150);
  }

  private static List<MarkdownPage> pages() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<MarkdownPage> pages =
          Stream.concat(root, docs)
              .filter(file -> file.toString().endsWith(".md"))
              .sorted()
              .map(file -> MarkdownPage.read(ROOT, file))
              .toList();
      assertThat(pages).extracting(MarkdownPage::name).contains("README.md", "docs/semantics.md");
      return pages;
    }
  }
}
