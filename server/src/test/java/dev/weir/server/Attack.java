package dev.weir.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something hostile that goes on, on a thread of its own, until it is closed. */
final class Attack implements AutoCloseable {
  private volatile boolean goesOn = true;
  private final FutureTask<Void> task;

  /** What is done; it looks all the time whether it goes on. */
  interface Deed {
    void goOn(Attack attack) throws Exception;
  }

  private Attack(Deed deed) {
    Callable<Void> call =
        () -> {
          deed.goOn(this);
          return null;
        };
    this.task = new FutureTask<>(call);
  }

  static Attack start(Deed deed) {
    Attack attack = new Attack(deed);
    new Thread(attack.task, "attack").start();
    return attack;
  }

  boolean goesOn() {
    return goesOn;
  }

  /** Ends it, and says so if it had failed before. */
  @Override
  public void close() {
    goesOn = false;
    try {
      task.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      throw new AssertionError("the attack failed", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }
}
