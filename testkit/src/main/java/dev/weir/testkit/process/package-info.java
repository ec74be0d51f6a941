/**
 * Other people's programs for tests, such as nginx or promtool.
 *
 * <p>Start with {@link dev.weir.testkit.process.Program}, which finds one or skips the test. {@link
 * dev.weir.testkit.process.RunningProgram} is one that runs, and ends with the test.
 */
@NullMarked
package dev.weir.testkit.process;

import org.jspecify.annotations.NullMarked;
