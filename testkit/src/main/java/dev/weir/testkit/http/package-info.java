/** Requests as no client library would send them. */
@NullMarked
package dev.weir.testkit.http;

import org.jspecify.annotations.NullMarked;
