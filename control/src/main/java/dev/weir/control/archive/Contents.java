package dev.weir.control.archive;

/**
 * What rows there are, in a file or in a table.
 *
 * @param rows how many
 * @param checksum of {@link RowDigest}
 */
record Contents(long rows, String checksum) {
  static Contents of(RowDigest digest) {
    return new Contents(digest.rows(), digest.checksum());
  }
}
