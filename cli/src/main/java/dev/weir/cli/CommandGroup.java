package dev.weir.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has others below it. */
abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
