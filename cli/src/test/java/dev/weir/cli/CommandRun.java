package dev.weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A command that has run: its exit code, standard output and standard error. */
record CommandRun(int code, String out, String err) {

  static CommandRun of(String... args) {
    return of(Map.of(), args);
  }

  static CommandRun of(Map<String, String> environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Weir.run(
            args,
            environment,
            new Terminal(80, false, true),
            new PrintWriter(out),
            new PrintWriter(err));
    return new CommandRun(code, out.toString(), err.toString());
  }
}
