/**
 * What decisions leave behind, on its way into the database: audit rows, roll-ups, usage.
 *
 * <p>Start with {@link dev.weir.control.outbox.Outbox}, which takes records and needs no database.
 * {@link dev.weir.control.outbox.Delivery} brings them there exactly once, whatever dies meanwhile;
 * what a record means is known by the {@link dev.weir.control.outbox.Sink} of its kind. {@link
 * dev.weir.control.outbox.Epochs} is how the database tells the records of one start from
 * another's.
 */
@NullMarked
package dev.weir.control.outbox;

import org.jspecify.annotations.NullMarked;
