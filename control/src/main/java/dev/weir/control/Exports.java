package dev.weir.control;

import dev.weir.control.change.Acts;
import dev.weir.control.configuration.Differences;
import dev.weir.control.configuration.ExportedTable;
import dev.weir.control.keys.KeyTables;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.quotas.QuotaTables;
import dev.weir.control.rows.Imported;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.OtherTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Makes keys and quotas part of exports and imports of the whole configuration. */
final class Exports {
  private Exports() {}

  static ExportedTable ofKeys() {
    return new Tables<>(KeyTables.TABLE, KeyTables::print, KeyTables::read, KeyTables::apply);
  }

  static ExportedTable ofQuotas(QuotaStore store) {
    return new Tables<>(
        QuotaTables.TABLE,
        QuotaTables::print,
        QuotaTables::read,
        (handle, acts, actor, entries) -> QuotaTables.apply(handle, acts, actor, store, entries));
  }

  /** Reads what one table says; null if it is wrong, which is reported then. */
  @FunctionalInterface
  private interface Reader<E> {
    @Nullable E read(Map<String, ?> values, BiConsumer<String, String> report);
  }

  /** Makes the database say what was read. */
  @FunctionalInterface
  private interface Writer<E> {
    Imported write(Handle handle, Acts acts, String actor, List<E> entries);
  }

  private record Tables<E>(
      String table, BiConsumer<Handle, TomlText> printer, Reader<E> reader, Writer<E> writer)
      implements ExportedTable {

    @Override
    public void export(Handle handle, TomlText toml) {
      printer.accept(handle, toml);
    }

    @Override
    public Import begin() {
      List<E> entries = new ArrayList<>();
      return new Import() {
        @Override
        public void read(OtherTable other) {
          E entry = reader.read(other.values(), other::report);
          if (entry != null) {
            entries.add(entry);
          }
        }

        @Override
        public Differences apply(Handle handle, Acts acts, String actor) {
          Imported done = writer.write(handle, acts, actor, entries);
          return new Differences(done.created(), done.updated(), done.deleted());
        }
      };
    }
  }
}
