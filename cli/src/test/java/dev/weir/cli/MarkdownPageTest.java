package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the tests of the documentation find mistakes, and say where they are. */
class MarkdownPageTest {

  @Test
  void findsBlocksAndWhetherTheyFollowEachOther() {
    MarkdownPage page =
        page("# A", "```java", "a();", "```", "", "```text", "b", "```", "c", "```");
    assertThat(page("# A", "```java", "a();", "```", "", "```text", "b", "```").blocks())
        .containsExactly(
            new MarkdownPage.Block("java", 3, List.of("a();"), false),
            new MarkdownPage.Block("text", 7, List.of("b"), true));
    assertThatThrownBy(page::blocks).hasMessage("p.md:10: the block that starts here has no end");
  }

  @Test
  void findsLinksAndHeadingsOutsideOfCode() {
    MarkdownPage page =
        page(
            "## What it's for: `a_b`",
            "[x](y.md#z) and `[no](no.md)`",
            "```",
            "# no",
            "[no](no.md)",
            "```",
            "## Two",
            "## Two");
    assertThat(page.links()).containsExactly(new MarkdownPage.Link("y.md#z", 2));
    assertThat(page.anchors()).containsExactly("what-its-for-a_b", "two", "two-1");
  }

  @Test
  void namesTheLineThatDoesNotCompile(@TempDir Path folder) {
    assertThatThrownBy(
            () ->
                java(page("", "```java", "int a = 1;", "int b = c;", "```")).compileAndRun(folder))
        .hasMessageStartingWith("p.md:4: cannot find symbol");
  }

  @Test
  void namesTheLineThatThrows(@TempDir Path folder) {
    MarkdownPage page = page("```java", "String key = \"a\";", "Limit.parse(key);", "```");
    assertThatThrownBy(() -> java(page).compileAndRun(folder))
        .hasMessageStartingWith("p.md:3: throws ")
        .hasMessageContaining("limit \"a\":");
  }

  @Test
  void returnsWhatIsPrinted(@TempDir Path folder) throws Exception {
    MarkdownPage page =
        page(
            "```java",
            "import java.math.BigInteger;",
            "System.out.println(BigInteger.TEN);",
            "```");
    assertThat(java(page).compileAndRun(folder)).isEqualTo("10\n");
  }

  @Test
  void comparesTheOutputOfCommands() throws Exception {
    shell("$ ./weir --version", "weir …", "$ echo $?", "0").check();
    shell("./weir try 10/s --json", "./test  # all").check();
    assertThatThrownBy(() -> shell("$ ./weir", "weir: missing command").check())
        .hasMessageContaining("p.md:2: ./weir prints")
        .hasMessageContaining("weir: missing command; see weir --help");
    assertThatThrownBy(() -> shell("./weir try 10").check()).hasMessageContaining("p.md:2: ");
    assertThatThrownBy(() -> shell("rm -r .").check())
        .hasMessageContaining("p.md:2: a command that is neither run nor known");
  }

  @Test
  void importsOfTheirOwnHoldForTheWholePage(@TempDir Path folder) throws Exception {
    MarkdownPage page =
        page(
            "```java",
            "import java.math.BigInteger;",
            "```",
            "```java",
            "System.out.println(BigInteger.TWO);",
            "```");
    assertThat(new JavaSnippet(page, page.blocks().get(1), "Snippet").compileAndRun(folder))
        .isEqualTo("2\n");
  }

  @Test
  void commandsTakeFilesOfThePageAndVariables(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.toml"), "enabeld = true\n");
    Files.writeString(folder.resolve("b.toml"), "[default]\nwindow = \"1h\"\n");
    MarkdownPage page =
        page(
            "```sh",
            "$ ./weir validate a.toml",
            "a.toml:1:1: enabeld: is unknown; did you mean enabled",
            "$ RATE_LIMIT_ENABLED=true RATE_LIMIT_DEFAULT_LIMIT=7 ./weir check --config b.toml --path / --ip ::1",
            "allowed    default: 6 of 7 left",
            "```");
    new ShellSession(page, page.blocks().get(0), folder, new PageService(folder)).check();
  }

  private static JavaSnippet java(MarkdownPage page) {
    return new JavaSnippet(page, page.blocks().get(0), "Snippet");
  }

  private static ShellSession shell(String... lines) {
    MarkdownPage page = page("```sh\n" + String.join("\n", lines) + "\n```");
    Path nowhere = Path.of("nowhere");
    return new ShellSession(page, page.blocks().get(0), nowhere, new PageService(nowhere));
  }

  private static MarkdownPage page(String... lines) {
    return new MarkdownPage("p.md", String.join("\n", lines).lines().toList());
  }
}
