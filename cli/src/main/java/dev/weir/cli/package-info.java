/**
 * The {@code weir} command. Start with {@link dev.weir.cli.Weir}; each subcommand is a class of its
 * own.
 *
 * <p>{@code try} is made of an arrival pattern ({@link dev.weir.cli.Arrivals}), its replay against
 * a limit on a virtual clock ({@link dev.weir.cli.Simulation}), and two ways to show the {@link
 * dev.weir.cli.Outcome}: {@link dev.weir.cli.Report} for people, {@link dev.weir.cli.JsonReport}
 * for programs.
 *
 * <p>Commands for a running server extend {@link dev.weir.cli.AdminCommand} and ask it through
 * {@link dev.weir.cli.AdminClient}. {@link dev.weir.cli.Refusal} has what is said when it does not
 * obey; {@link dev.weir.cli.Columns} and {@link dev.weir.cli.Listing} show its answers.
 *
 * <p>{@code top} asks for {@link dev.weir.cli.TopFigures}, which {@link dev.weir.cli.TopView} draws
 * on a {@link dev.weir.cli.Screen}. {@code demo} is a {@link dev.weir.cli.Demo}: a service in this
 * process, and {@link dev.weir.cli.DemoTraffic} by which {@link dev.weir.cli.DemoVisitors} ask it.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
