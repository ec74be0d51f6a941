/** Limits requests in servlet containers. */
@NullMarked
package dev.weir.spring.servlet;

import org.jspecify.annotations.NullMarked;
