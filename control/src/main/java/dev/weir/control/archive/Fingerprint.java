package dev.weir.control.archive;

/**
 * What tells a file from another one.
 *
 * @param bytes its size
 * @param sha256 of all its bytes, in hexadecimal digits
 */
public record Fingerprint(long bytes, String sha256) {}
