/** The least application with limits. */
@NullMarked
package dev.weir.example.minimal;

import org.jspecify.annotations.NullMarked;
