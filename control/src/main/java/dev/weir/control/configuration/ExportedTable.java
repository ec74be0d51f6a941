package dev.weir.control.configuration;

import dev.weir.control.change.Acts;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.OtherTable;
import org.jdbi.v3.core.Handle;

/** Something else that is part of an export, in tables of its own: keys, quotas. */
public interface ExportedTable {

  /** Their name: {@code quota} for {@code [[quota]]}. */
  String table();

  /** Writes all of them, by {@link TomlText#element}. */
  void export(Handle handle, TomlText toml);

  /** Begins to read an import. */
  Import begin();

  /** The tables of one import. */
  interface Import {
    /** Reads the next table; what is wrong is reported to it. */
    void read(OtherTable table);

    /**
     * Makes the database say what was read, and records the acts.
     *
     * @throws dev.weir.control.change.ChangeRefused to refuse; then nothing of the import is done
     */
    Differences apply(Handle handle, Acts acts, String actor);
  }
}
