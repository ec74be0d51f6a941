/**
 * An application on Spring Boot whose requests are limited. {@link dev.weir.example.Greetings} has
 * nothing to do with that; {@link dev.weir.example.Reports} has a limit of its own.
 */
@NullMarked
package dev.weir.example;

import org.jspecify.annotations.NullMarked;
