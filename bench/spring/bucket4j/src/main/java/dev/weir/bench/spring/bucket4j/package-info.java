/** What an application adds for Bucket4j's starter. */
@NullMarked
package dev.weir.bench.spring.bucket4j;

import org.jspecify.annotations.NullMarked;
