/**
 * Runs the compiled tests of all modules, several JVMs at a time, for {@code ./test}.
 *
 * <p>Maven runs a module's tests before it builds the modules that depend on it, so most of the
 * time one JVM waits while cores are idle. Here everything is built first; then a fixed number of
 * test JVMs, each with the class path of one module, pull test classes until none is left.
 *
 * <p>Start reading at {@link dev.weir.testrunner.TestRun}, the coordinator; {@link
 * dev.weir.testrunner.TestWorker} is the other side of the connection, in the test JVM.
 */
@NullMarked
package dev.weir.testrunner;

import org.jspecify.annotations.NullMarked;
