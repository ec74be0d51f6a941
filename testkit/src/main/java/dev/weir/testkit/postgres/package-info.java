/**
 * Real PostgreSQL servers for tests, and ways to break them.
 *
 * <p>Start with {@link dev.weir.testkit.postgres.PostgresServer}, one server that can be paused,
 * killed and restarted. The programs come from the jar {@code weir-postgres-binaries}, or from
 * where Debian installs them.
 */
@NullMarked
package dev.weir.testkit.postgres;

import org.jspecify.annotations.NullMarked;
