/**
 * Other people's programs for tests, such as nginx or promtool.
 *
 * <p>Start with {@link dev.weir.testkit.process.Program}, which finds one or skips the test. {@link
 * dev.weir.testkit.process.RunningProgram} is one that runs, and ends with the test. What servers
 * for tests need beyond that is here too: {@link dev.weir.testkit.process.Ports}, {@link
 * dev.weir.testkit.process.TemporaryFolder}, {@link dev.weir.testkit.process.Signals}, {@link
 * dev.weir.testkit.process.Await} and {@link dev.weir.testkit.process.AtExit}.
 */
@NullMarked
package dev.weir.testkit.process;

import org.jspecify.annotations.NullMarked;
