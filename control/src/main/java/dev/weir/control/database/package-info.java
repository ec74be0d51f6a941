/**
 * The database of the control plane: PostgreSQL, or H2 in a file of its own.
 *
 * <p>Start with {@link dev.weir.control.database.Database}, which opens one and brings its schema
 * up to date. The tables are in {@code common/V1__schema.sql} and what follows it, among the
 * resources of this package; {@link dev.weir.control.database.Partitions} cuts the two that grow
 * with time into months. All SQL is written once for both databases where it can be.
 */
@NullMarked
package dev.weir.control.database;

import org.jspecify.annotations.NullMarked;
