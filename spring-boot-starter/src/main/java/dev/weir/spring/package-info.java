/** Rate limiting for Spring Boot: what an application configures and what it can ask. */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
