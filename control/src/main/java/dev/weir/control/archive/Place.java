package dev.weir.control.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.parquet.io.InputFile;

/**
 * Where files of the archive are. A file is there as a whole or not at all; names are those of
 * {@link ArchiveFile}. Failures of the place are {@link ArchiveException}s that say where.
 */
sealed interface Place extends AutoCloseable permits FolderPlace, S3Place {
  /** How an address on S3 begins. */
  String S3 = "s3://";

  /**
   * The place that the settings name.
   *
   * @param address a folder, or s3://bucket/prefix
   */
  static Place of(String address) {
    // No folder is meant by "s3:/x" either: S3Place says what is wrong with it.
    return address.startsWith("s3:") ? S3Place.of(address) : FolderPlace.of(address);
  }

  /** What writes a file. It leaves the stream open. */
  interface Writer {
    Contents write(OutputStream out) throws IOException;
  }

  /** Fails if nothing can be written here, as far as that can be known before. */
  void requireUsable();

  /** The full address of a file. */
  String location(String name);

  /** Whether there is a file of that name. */
  boolean exists(String name);

  /**
   * Writes a file, in the place of one that may be there. It appears only once all of it is stored,
   * and what an earlier attempt left half-way is removed.
   */
  Contents write(String name, Writer writer) throws IOException;

  /** Reads a file as it is stored. */
  InputStream read(String name) throws IOException;

  /** The same for a reader of Parquet. */
  InputFile parquet(String name);

  /** The names of all files of the archive; others are left out. */
  List<String> list();

  /** Deletes a file, if it is there. */
  void delete(String name);

  @Override
  void close();
}
