package dev.weir.control.outbox;

import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Where the records of one kind go. Called by one thread at a time. */
public interface Sink {

  /** The kind of its records. */
  byte kind();

  /**
   * Writes records, all or none: if it fails, the transaction is undone. A record that is no record
   * of its kind, or that the database refuses for what it says, is found by writing ever fewer at a
   * time, and left out.
   *
   * @param handle in the transaction that remembers the records as written; not to be committed
   * @param payloads in the order in which they were put
   * @throws IllegalArgumentException if a payload cannot be read
   */
  void write(Handle handle, List<byte[]> payloads) throws SQLException;
}
