/**
 * What users and keys use. {@link dev.weir.control.usage.UsageCounts} adds it up in memory, {@link
 * dev.weir.control.usage.UsageDrain} hands it on every second, and {@link
 * dev.weir.control.usage.UsageSink} adds it to the rows of the database.
 */
@NullMarked
package dev.weir.control.usage;

import org.jspecify.annotations.NullMarked;
