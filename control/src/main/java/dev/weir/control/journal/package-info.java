/**
 * Records on local disk until they are in a database, exactly once. Start reading at {@link
 * dev.weir.control.journal.Journal}; {@link dev.weir.control.journal.Frame} is what a record looks
 * like on disk, {@link dev.weir.control.journal.Writer} the only thing that writes them, and {@link
 * dev.weir.control.journal.Recovery} what happens to those that an earlier process left.
 */
@NullMarked
package dev.weir.control.journal;

import org.jspecify.annotations.NullMarked;
