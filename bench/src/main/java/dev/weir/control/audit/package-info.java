/** Decisions in great number, for measuring how they come into the database. */
@NullMarked
package dev.weir.control.audit;

import org.jspecify.annotations.NullMarked;
