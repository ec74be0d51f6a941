/** What docs/guides/spring-boot.md shows, compiled and run. */
@NullMarked
package dev.weir.spring.guide;

import org.jspecify.annotations.NullMarked;
