/**
 * What the stores of keys and quotas have in common: {@link dev.weir.control.rows.RowCache}, which
 * gives requests what they need of a row without their waiting for the database, own limits in
 * columns, and pages.
 */
@NullMarked
package dev.weir.control.rows;

import org.jspecify.annotations.NullMarked;
