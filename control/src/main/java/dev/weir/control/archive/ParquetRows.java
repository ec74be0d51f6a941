package dev.weir.control.archive;

import com.jerolba.carpet.CarpetReader;
import com.jerolba.carpet.CarpetWriter;
import com.jerolba.carpet.CloseableIterator;
import com.jerolba.carpet.ColumnNamingStrategy;
import com.jerolba.carpet.FieldMatchingStrategy;
import com.jerolba.carpet.TimeUnit;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.InputFile;

/** Rows as Parquet: compressed by zstd, times in microseconds of UTC. One row group in memory. */
final class ParquetRows<T extends ArchiveRow> {
  private static final long ROW_GROUP_BYTES = 32L << 20;

  private final RowFormat<T> format;
  private final Stop stop;

  ParquetRows(RowFormat<T> format, Stop stop) {
    this.format = format;
    this.stop = stop;
  }

  /** Writes a whole file, and tells what is in it. */
  Contents write(Iterator<T> rows, OutputStream out) throws IOException {
    RowDigest digest = new RowDigest();
    try (CarpetWriter<T> writer =
        new CarpetWriter.Builder<>(out, format.type())
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(ROW_GROUP_BYTES)
            .withColumnNamingStrategy(ColumnNamingStrategy.SNAKE_CASE)
            .withDefaultTimeUnit(TimeUnit.MICROS)
            .build()) {
      while (rows.hasNext()) {
        stop.check(digest.rows());
        T row = rows.next();
        writer.write(row);
        row.addTo(digest);
      }
    }
    return Contents.of(digest);
  }

  /** Reads a whole file, every value of it. */
  Contents read(InputFile file) throws IOException {
    RowDigest digest = new RowDigest();
    try (CloseableIterator<T> rows =
        new CarpetReader<>(file, format.type())
            .withFieldMatchingStrategy(FieldMatchingStrategy.SNAKE_CASE)
            .iterator()) {
      while (rows.hasNext()) {
        stop.check(digest.rows());
        rows.next().addTo(digest);
      }
    }
    return Contents.of(digest);
  }
}
