package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code export}, {@code import} and {@code archive}. */
class TransferCommandsTest {
  private static final String TOML = "[[rule]]\nname = \"a\"\nmessage = \"gr\u00fc\u00dfe\"\n";

  @TempDir private Path folder = Path.of("");

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theConfigurationIsPrintedAsItCame() {
    server.answer(200, "application/toml; charset=utf-8", TOML);

    assertThat(server.run("export")).isEqualTo(new CommandRun(0, TOML, ""));
    assertThat(server.call().request()).isEqualTo("GET /v1/admin/export");
  }

  @Test
  void theConfigurationIsWrittenOverAFileAndThroughALink() throws IOException {
    server.answer(200, "application/toml", TOML);
    Path file = Files.writeString(folder.resolve("old.toml"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.toml"), file);

    assertThat(server.run("export", "--output", link.toString()).out())
        .isEqualTo("wrote " + link + "\n");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent(TOML);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactlyInAnyOrder(file, link);
    }
  }

  @Test
  void aDeviceStaysOne() {
    server.answer(200, "application/toml", TOML);

    assertThat(server.run("export", "--output", "/dev/null").code()).isZero();
    assertThat(Path.of("/dev/null")).exists();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  void aFileThatCannotBeWrittenIsOneLine() {
    server.answer(200, "application/toml", TOML).answer(200, "application/toml", TOML);
    Path missing = folder.resolve("missing");
    Path file = missing.resolve("out.toml");

    assertThat(server.run("export", "--output", file.toString()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir export: %s cannot be written: there is no folder %s\n"
                    .formatted(file, missing)));
    assertThat(server.run("export", "--output", folder.toString()).err())
        .isEqualTo("weir export: " + folder + " is a folder; name a file in it\n");
  }

  @Test
  void whatIsNoTomlIsNotWritten() {
    server.answer(200, "text/html", "<html>");
    Path file = folder.resolve("out.toml");

    assertThat(server.run("export", "--output", file.toString()).err())
        .isEqualTo(
            "weir export: %s answered 200, but not with TOML; is it a Weir server?\n"
                .formatted(server.url()));
    assertThat(file).doesNotExist();
  }

  private String file() throws IOException {
    return Files.writeString(folder.resolve("backup.toml"), TOML).toString();
  }

  @Test
  void anImportNamesWhatHasChanged() throws IOException {
    server.answer(
        200,
        """
        {"created": ["rule:a", "key:6b1f"], "updated": ["tier:free"], "deleted": ["rule:old"],
         "policy": "cc01", "dry_run": false}
        """);

    assertThat(server.run("import", file()))
        .isEqualTo(
            new CommandRun(
                0,
                """
                created  rule:a
                created  key:6b1f
                updated  tier:free
                deleted  rule:old
                4 entries changed; the policy is cc01
                """,
                ""));
    assertThat(server.call().request()).isEqualTo("POST /v1/admin/import");
    assertThat(server.call().field("Content-type")).isEqualTo("application/toml");
    assertThat(server.call().body()).isEqualTo(TOML);
  }

  @Test
  void aDryImportNamesWhatWouldChange() throws IOException {
    server
        .answer(200, "{\"deleted\": [\"rule:old\"], \"policy\": \"cc01\", \"dry_run\": true}")
        .answer(200, "{\"policy\": \"cc01\", \"dry_run\": true}");

    assertThat(server.run("import", file(), "--dry-run").out())
        .isEqualTo(
            """
            would be deleted  rule:old
            dry run: 1 entry would change; the policy would be cc01
            """);
    assertThat(server.run("import", file(), "--dry-run").out())
        .isEqualTo("dry run: nothing would change; the policy would be cc01\n");
    assertThat(server.calls().get(0).request()).isEqualTo("POST /v1/admin/import?dry_run=true");
  }

  @Test
  void aFileThatIsTooLargeIsNotSent() throws IOException {
    Path file = folder.resolve("large.toml");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(InputFile.MOST_BYTES + 1L);
    }

    assertThat(server.run("import", file.toString()).err())
        .isEqualTo("weir import: " + file + " must be at most 16 MiB large\n");
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void anArchiveRunIsShownAsATable() {
    server.answer(
        200,
        """
        {"archived": 2, "files": [], "jobs": [
          {"table": "rate_limit_audit_logs", "month": "2026-01", "state": "dropped", "rows": 1200},
          {"table": "rate_limit_metrics", "month": "2026-01", "state": "written"}],
         "took": {"seconds": 3}}
        """);

    assertThat(server.run("archive").out())
        .isEqualTo(
            """
            archived      2
            files         -
            took seconds  3

            jobs:
              table                  month    state    rows
              rate_limit_audit_logs  2026-01  dropped  1200
              rate_limit_metrics     2026-01  written  -
            """);
    assertThat(server.call().request()).isEqualTo("POST /v1/admin/archive");
    assertThat(server.call().body()).isEmpty();
  }

  @Test
  @DisplayName("T85: a run in which a month failed says so by its exit code")
  void t85() {
    server.answer(
        200,
        """
        {"complete": false, "rows": 0, "archived": [],
         "failures": [{"table": "rate_limit_metrics", "month": "2026-01", "message": "it is full"}]}
        """);

    CommandRun run = server.run("archive");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("it is full");
    assertThat(run.err())
        .isEqualTo(
            "weir archive: not all months could be archived; the failures are listed above\n");
  }

  @Test
  void aPlanListsMonthsThatWereArchivedAndMonthsThatAreDue() {
    server.answer(
        200,
        """
        {"items": [{"table": "rate_limit_metrics", "month": "2025-12", "state": "dropped",
                    "file": "/archive/m.parquet", "rows": 12}],
         "next": null,
         "planned": [
          {"table": "rate_limit_audit_logs", "month": "2026-01", "state": "planned", "kept": true},
          {"table": "rate_limit_metrics", "month": "2026-01", "state": "planned", "kept": true}]}
        """);

    assertThat(server.run("archive", "--plan").out())
        .isEqualTo(
            """
            archived months:
              table               month    state    file                rows
              rate_limit_metrics  2025-12  dropped  /archive/m.parquet  12

            planned months:
              table                  month    state    kept
              rate_limit_audit_logs  2026-01  planned  yes
              rate_limit_metrics     2026-01  planned  yes
            """);
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNotSomethingToTryLater() {
    server.answer(
        503,
        """
        {"error": "Service Unavailable", "field": "archive",
         "message": "audit.archive: cannot write to directory /a: /a: permission denied"}
        """);

    CommandRun run = server.run("archive");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "weir archive: audit.archive: cannot write to directory /a: /a: permission denied\n");
  }

  @Test
  void anArchiveIsLookedAtAndThinnedOut() {
    server
        .answer(200, "{\"items\": [], \"next\": null, \"planned\": []}")
        .answer(200, "{\"deleted\": 0}");

    assertThat(server.run("archive", "--plan").out())
        .isEqualTo("archived months: none\n\nplanned months: none\n");
    assertThat(server.run("archive", "--delete-older-than", "2557d").out())
        .isEqualTo("deleted  0\n");
    assertThat(server.calls())
        .extracting(ScriptedServer.Call::request)
        .containsExactly("GET /v1/admin/archive", "DELETE /v1/admin/archive?older_than=2557d");
  }
}
