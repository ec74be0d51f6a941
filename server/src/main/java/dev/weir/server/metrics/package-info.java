/**
 * What the service counts and measures: for Prometheus as a page of text, for the admin API as
 * JSON. {@link dev.weir.server.metrics.ServerMetrics} is the place to start. Nothing here knows of
 * a transport, and no value that a client sends is ever a label.
 */
@NullMarked
package dev.weir.server.metrics;

import org.jspecify.annotations.NullMarked;
