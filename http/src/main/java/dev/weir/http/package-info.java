/**
 * HTTP without a framework: from a view of a request to what a policy asks for ({@link
 * dev.weir.http.RequestFacts}), and from a verdict to header fields and bodies ({@link
 * dev.weir.http.Answer}). Transports translate to and from these.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
