package dev.weir.control.rollup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Cells by endpoint, tier and rule, at most so many: whatever comes beyond shares one. Finding a
 * cell takes no lock and allocates nothing. Cells are never removed; see {@link
 * #without(Collection)}.
 */
final class CellTable {
  /** The endpoint of the cell that is shared; no endpoint has such a name. */
  static final String OTHER = "(other)";

  private final int mostCells;
  private final AtomicReferenceArray<Cell> slots;
  private final AtomicInteger size = new AtomicInteger();
  private final Cell shared;

  CellTable(int mostCells) {
    this(mostCells, new Cell(OTHER, "", ""));
  }

  private CellTable(int mostCells, Cell shared) {
    this.mostCells = mostCells;
    this.shared = shared;
    // At most half full, so that there is always an empty one to stop at.
    this.slots = new AtomicReferenceArray<>(Integer.highestOneBit(mostCells) * 4);
  }

  Cell find(String endpoint, String tier, String rule) {
    int hash = (endpoint.hashCode() * 31 + tier.hashCode()) * 31 + rule.hashCode();
    int mask = slots.length() - 1;
    int index = (hash ^ hash >>> 16) & mask;
    Cell made = null;
    while (true) {
      Cell cell = slots.get(index);
      if (cell == null) {
        if (made == null) {
          if (isFull() || size.incrementAndGet() > mostCells) {
            return shared;
          }
          made = new Cell(endpoint, tier, rule);
        }
        cell = slots.compareAndExchange(index, null, made);
        if (cell == null) {
          return made;
        }
      }
      if (cell.isFor(endpoint, tier, rule)) {
        if (made != null) {
          // Another thread was faster.
          size.decrementAndGet();
        }
        return cell;
      }
      index = index + 1 & mask;
    }
  }

  boolean isFull() {
    return size.get() >= mostCells;
  }

  /** All cells, the shared one too. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>(List.of(shared));
    for (int i = 0; i < slots.length(); i++) {
      Cell cell = slots.get(i);
      if (cell != null) {
        cells.add(cell);
      }
    }
    return cells;
  }

  /** Those of which nothing was taken out at that minute or later, but for the shared one. */
  List<Cell> unusedSince(long minute) {
    return cells().stream().filter(cell -> cell != shared && cell.lastMinute < minute).toList();
  }

  /** A table with all cells but those. */
  CellTable without(Collection<Cell> left) {
    Set<Cell> without = new HashSet<>(left);
    CellTable table = new CellTable(mostCells, shared);
    for (Cell cell : cells()) {
      if (cell != shared && !without.contains(cell)) {
        table.put(cell);
      }
    }
    return table;
  }

  /** Before anybody else has the table. */
  private void put(Cell cell) {
    int hash = (cell.endpoint.hashCode() * 31 + cell.tier.hashCode()) * 31 + cell.rule.hashCode();
    int index = (hash ^ hash >>> 16) & slots.length() - 1;
    while (slots.get(index) != null) {
      index = index + 1 & slots.length() - 1;
    }
    slots.set(index, cell);
    size.incrementAndGet();
  }
}
