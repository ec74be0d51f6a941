/**
 * What queries have in common: {@link dev.weir.control.query.Cursor} says where the next page
 * begins, {@link dev.weir.control.query.Conditions} is what follows {@code where}, and {@link
 * dev.weir.control.query.InvalidQuery} is thrown when somebody asks for what cannot be.
 */
@NullMarked
package dev.weir.control.query;

import org.jspecify.annotations.NullMarked;
