package dev.weir.backtest;

import dev.weir.backtest.BacktestReport.ClientRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of each client's requests, in bounded memory. While there are no more clients than
 * there is room for, all counts are exact.
 *
 * <p>When the table is full, the half with the fewest refusals is forgotten, and of those with
 * equally few the ones with the fewest requests. Of a client that is not in the table it is known
 * that it had at most {@link #forgotten} refusals, the most that any forgotten one can have had; so
 * a client that comes in later misses at most that many.
 */
final class ClientTable {
  static final int MOST_CLIENTS = 1 << 16;

  /** How many requests wait to be counted together. */
  private static final int BATCH = 64;

  private final int most;

  /** Chains of rows by hash. A map's entries would be one more place in memory on the way. */
  private final @Nullable Row[] chains;

  private int size;
  private long forgotten;

  // Rows lie anywhere in memory. Looked up one right after the other, several are fetched at once.
  private final String[] clients = new String[BATCH];
  private final boolean[] areRefused = new boolean[BATCH];
  private final boolean[] wereRefused = new boolean[BATCH];
  private int waiting;

  /** One client. */
  private static final class Row {
    String client;
    final int hash;
    final long mayMiss;
    @Nullable Row next;
    long requests;
    long refused;
    long newlyRefused;
    long noLongerRefused;

    Row(String client, long mayMiss) {
      this.client = client;
      this.hash = client.hashCode();
      this.mayMiss = mayMiss;
    }

    /** Looks at the text only where it is not the very same one, and remembers the latest. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(String other, int otherHash) {
      if (client == other) {
        return true;
      }
      boolean isEqual = hash == otherHash && client.equals(other);
      client = isEqual ? other : client;
      return isEqual;
    }

    /** On either side. */
    long refusals() {
      return refused + noLongerRefused;
    }

    /** Refusals first, then requests; both cut to what there is room for. */
    long weight() {
      return Math.min(refusals(), Integer.MAX_VALUE) << 32 | Math.min(requests, 0xffff_ffffL);
    }

    ClientRow result() {
      return new ClientRow(client, requests, refused, newlyRefused, noLongerRefused, mayMiss);
    }
  }

  ClientTable(int most) {
    this.most = most;
    this.chains = new @Nullable Row[Integer.highestOneBit(most) * 2];
  }

  /** A request, and whether it is refused now and was before; without a before both are equal. */
  void add(String client, boolean isRefused, boolean wasRefused) {
    clients[waiting] = client;
    areRefused[waiting] = isRefused;
    wereRefused[waiting] = wasRefused;
    if (++waiting == BATCH) {
      countWaiting();
    }
  }

  private void countWaiting() {
    for (int i = 0; i < waiting; i++) {
      count(clients[i], areRefused[i], wereRefused[i]);
    }
    waiting = 0;
  }

  private void count(String client, boolean isRefused, boolean wasRefused) {
    int hash = client.hashCode();
    Row row = chains[place(hash)];
    while (row != null && !row.isOf(client, hash)) {
      row = row.next;
    }
    if (row == null) {
      row = newRow(client);
    }
    row.requests++;
    if (isRefused) {
      row.refused++;
      row.newlyRefused += wasRefused ? 0 : 1;
    } else if (wasRefused) {
      row.noLongerRefused++;
    }
  }

  private int place(int hash) {
    return (hash ^ (hash >>> 16)) & (chains.length - 1);
  }

  private Row newRow(String client) {
    if (size >= most) {
      forgetHalf();
    }
    Row row = new Row(client, forgotten);
    add(row);
    return row;
  }

  private void add(Row row) {
    int place = place(row.hash);
    row.next = chains[place];
    chains[place] = row;
    size++;
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>(size);
    for (Row chain : chains) {
      for (Row row = chain; row != null; row = row.next) {
        rows.add(row);
      }
    }
    return rows;
  }

  private void forgetHalf() {
    List<Row> rows = rows();
    rows.sort(Comparator.comparingLong(Row::weight));
    Arrays.fill(chains, null);
    size = 0;
    int gone = rows.size() / 2 + 1;
    for (Row row : rows.subList(0, gone)) {
      forgotten = Math.max(forgotten, row.refusals() + row.mayMiss);
    }
    rows.subList(gone, rows.size()).forEach(this::add);
  }

  /** Those that are refused most often. */
  List<ClientRow> mostRefused(int number) {
    return top(number, Comparator.comparingLong(row -> row.refused));
  }

  /** Those that are newly refused most often. */
  List<ClientRow> mostHurt(int number) {
    return top(number, Comparator.comparingLong(row -> row.newlyRefused));
  }

  private List<ClientRow> top(int number, Comparator<Row> order) {
    countWaiting();
    Row none = new Row("", 0);
    return rows().stream()
        .filter(row -> order.compare(row, none) > 0)
        .sorted(order.reversed().thenComparing(row -> row.client))
        .limit(number)
        .map(Row::result)
        .toList();
  }
}
