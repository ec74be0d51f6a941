package dev.weir.backtest.suggest;

import java.util.ArrayList;
import java.util.List;

/**
 * All limits that are tried.
 *
 * <p>A rung with at least as many permits as a client has asked for since its last long rest cannot
 * have refused it. So it need not count the client until then: the requests are remembered, and put
 * to the rung when the client asks for more. What each rung decides is the same, and most clients,
 * of whom there may be many, need few counters. A client with more requests than are remembered is
 * counted by all rungs.
 *
 * <p>Requests are collected, and then each lane takes all of them, on whichever core is free. No
 * lane has anything that another writes to.
 */
final class Lanes {
  private static final int MOST_TRIALS = 4_096;

  private final List<Lane> all = new ArrayList<>();
  private final List<List<Trial>> trials = new ArrayList<>();
  private int waiting;
  private int keys;

  /** Room for that many clients, at all endpoints together. */
  Lanes(long mostClients) {
    for (Window window : Window.ALL) {
      trials.add(new ArrayList<>());
      for (Shape shape : Shape.values()) {
        // Twice as many, for those that were dropped and have not made way yet.
        all.add(new Lane(all.size(), shape, window, 2 * mostClients));
      }
    }
  }

  List<Lane> all() {
    return all;
  }

  /** A name for the counters of a client; short, since every rung hashes it. */
  String newKey() {
    return Integer.toString(keys++, Character.MAX_RADIX);
  }

  /** Takes a request of a client of that sample, not earlier than the one before. */
  void add(EndpointSample sample, SampledClient client, long atMicros, long cost) {
    for (Window window : Window.ALL) {
      client.rest(window, atMicros);
      int open = client.lengthen(window, cost);
      catchUp(sample, client, window, open);
      if (open > 0) {
        trials.get(window.number()).add(new Trial(client, sample, atMicros, cost, 0, open));
        waiting++;
      }
    }
    client.remember(atMicros, cost);
    if (waiting >= MOST_TRIALS) {
      run();
    }
  }

  /** Puts what is remembered to rungs that have not counted the client so far. */
  private void catchUp(EndpointSample sample, SampledClient client, Window window, int open) {
    SampledClient.Run run = client.run(window);
    int opened = open - run.open();
    if (opened == 0) {
      return;
    }
    for (int ago = run.before(); ago > 0; ago--) {
      trials
          .get(window.number())
          .add(new Trial(client, sample, client.time(ago), client.cost(ago), run.open(), open));
      waiting++;
    }
    run.open(open);
    sample.load().addCounters((long) opened * Shape.values().length);
  }

  /** Decides all that was taken. */
  void run() {
    all.parallelStream().forEach(lane -> lane.run(trials.get(lane.window().number())));
    trials.forEach(List::clear);
    waiting = 0;
  }

  /** How many counters a client has that have not recovered; forgets those that have. */
  long counters(SampledClient client, long nowMicros) {
    long counters = 0;
    for (Window window : Window.ALL) {
      client.rest(window, nowMicros);
      counters += (long) client.run(window).open() * Shape.values().length;
    }
    return counters;
  }

  /** Frees the counters of a client that is not looked at any more; nothing of it may wait. */
  void forget(SampledClient client) {
    for (Lane lane : all) {
      lane.forget(client.key(), client.run(lane.window()).open());
    }
  }
}
