/**
 * The {@code weir} command. Start with {@link dev.weir.cli.Weir}; each subcommand is a class of its
 * own.
 *
 * <p>{@code try} is made of an arrival pattern ({@link dev.weir.cli.Arrivals}), its replay against
 * a limit on a virtual clock ({@link dev.weir.cli.Simulation}), and two ways to show the {@link
 * dev.weir.cli.Outcome}: {@link dev.weir.cli.Report} for people, {@link dev.weir.cli.JsonReport}
 * for programs.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
