package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir top}: what a server does right now, on a screen that is drawn again and again. */
@Command(
    name = "top",
    sortOptions = false,
    description = "Show what a server does right now, until Ctrl-C.",
    footer = {
      "",
      "Where standard output is no terminal it is shown once, as with --once. For example:",
      "  weir top",
      "  weir top --interval 5s",
      "  weir top --once"
    })
final class TopCommand extends AdminCommand {
  private static final long LEAST_MICROS = 100_000;
  private static final long MOST_MICROS = 3_600_000_000L;

  @Option(
      names = "--interval",
      paramLabel = "<duration>",
      description = "How long between two looks, from 100ms to 1h; default: 1s.")
  private String intervalText = "1s";

  @Option(names = "--once", description = "Show it once, as plain text.")
  private boolean isOnce;

  @Mixin private JsonOption json = new JsonOption();

  private final Terminal terminal;

  TopCommand(Shell shell, Terminal terminal) {
    super(shell);
    this.terminal = terminal;
  }

  @Override
  void run(AdminClient server) {
    long intervalMicros =
        InputException.readOption("--interval", intervalText, TopCommand::interval);
    TopFigures first = TopFigures.of(server, TopView.seconds(terminal));
    if (json.isGiven()) {
      data().println(first.json());
    } else if (isOnce || !terminal.isScreen()) {
      Terminal paper = new Terminal(terminal.columns(), terminal.color(), terminal.unicode());
      print(new TopView(paper).lines(first, server.toString()));
    } else {
      watch(server, first, intervalMicros);
    }
  }

  private static long interval(String text) {
    long micros = TimeText.parseMicros(text);
    if (micros < LEAST_MICROS || micros > MOST_MICROS) {
      throw new IllegalArgumentException("must be from 100ms to 1h, got \"" + text + "\"");
    }
    return micros;
  }

  private void watch(AdminClient server, TopFigures first, long intervalMicros) {
    Screen screen = new Screen(out());
    // Ctrl-C ends the process; the terminal must be as it was.
    Thread restore = new Thread(screen::close, "weir-top-restore");
    Runtime.getRuntime().addShutdownHook(restore);
    try (screen) {
      TopFigures figures = first;
      String problem = "";
      while (true) {
        Terminal now = WindowSize.now(terminal);
        screen.draw(lines(figures, problem, server, now), now);
        TimeUnit.MICROSECONDS.sleep(intervalMicros);
        try {
          figures = TopFigures.of(server, TopView.seconds(now));
          problem = "";
        } catch (InputException failure) {
          // It may come back, and what it said last is worth to be seen.
          problem = PlainText.of(String.valueOf(failure.getMessage()));
        }
      }
    } catch (InterruptedException ended) {
      Runtime.getRuntime().removeShutdownHook(restore);
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> lines(
      TopFigures figures, String problem, AdminClient server, Terminal now) {
    List<String> lines = new ArrayList<>(new TopView(now).lines(figures, server.toString()));
    if (!problem.isEmpty()) {
      lines.set(0, now.paint(Terminal.Color.REFUSED, problem));
    }
    return lines;
  }
}
