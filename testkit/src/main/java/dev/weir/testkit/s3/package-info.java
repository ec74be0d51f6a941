/**
 * A real server that speaks S3, for tests.
 *
 * <p>Start with {@link dev.weir.testkit.s3.S3Server}. It is S3Proxy, whose jar is a resource of the
 * module that has the tests and never on the class path.
 */
@NullMarked
package dev.weir.testkit.s3;

import org.jspecify.annotations.NullMarked;
