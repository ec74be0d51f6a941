package dev.weir.testrunner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the test classes of the given modules, which Maven has built.
 *
 * <p>Each slot is a thread that starts a test JVM for the part of the work where that saves most,
 * lets it run classes until the part is empty, and goes on with the next part. A class tagged
 * {@code own-jvm} gets a JVM of its own. Classes tagged {@code exclusive} run when everything else
 * has ended, one at a time.
 */
public final class TestRun {
  private static final String OWN_JVM = "own-jvm";
  private static final String EXCLUSIVE = "exclusive";
  private static final Duration EVERYDAY_CLASS_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration LONG_CLASS_TIMEOUT = Duration.ofMinutes(60);

  /**
   * Most everyday classes end before the second compiler pays: with it they take twice the CPU.
   * Those with a JVM of their own compute more, and keep the defaults.
   */
  private static final List<String> EVERYDAY_JVM_OPTIONS =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final RunOptions options;
  private final RecordedTimes times;
  private final Progress progress;
  private final WorkQueue queue;
  private final List<String> jvmOptions;
  private final ConcurrentLinkedQueue<Map.Entry<TestModule, String>> exclusive =
      new ConcurrentLinkedQueue<>();

  private TestRun(RunOptions options, RecordedTimes times, Progress progress) {
    this.options = options;
    this.times = times;
    this.progress = progress;
    this.queue = new WorkQueue(times::estimateMillis);
    this.jvmOptions = new ArrayList<>();
    jvmOptions.add("@" + options.root().resolve(".ci/test-jvm-options"));
    jvmOptions.addAll(options.properties());
    if (options.isLong()) {
      jvmOptions.add("-Dweir.long=true");
    }
  }

  /** Exits with 0 if tests ran and all passed, else with 1. */
  public static void main(String[] args) throws IOException, InterruptedException {
    RunOptions options = RunOptions.parse(List.of(args));
    Path state = Files.createDirectories(options.root().resolve(".weir"));
    RecordedTimes times =
        RecordedTimes.load(
            options.root().resolve(".ci/slow-tests"),
            state.resolve(options.isLong() ? "long-test-times" : "test-times"));
    Progress progress = new Progress(System.out);
    new TestRun(options, times, progress).run();
    times.save();
    progress.printSummary();
    System.exit(progress.isSuccess() ? 0 : 1);
  }

  private void run() throws IOException, InterruptedException {
    for (String name : options.modules()) {
      TestModule module = new TestModule(name, options.root().resolve(name));
      List<String> classes = module.testClasses().stream().filter(options::includes).toList();
      if (options.repeats() == 1) {
        queue.add(module, classes, List.of(OWN_JVM, EXCLUSIVE));
      } else {
        for (int i = 0; i < options.repeats(); i++) {
          classes.forEach(each -> queue.add(module, List.of(each), List.of(EXCLUSIVE)));
        }
      }
    }
    runSlots(options.jvms());
    for (Map.Entry<TestModule, String> each : exclusive) {
      queue.add(each.getKey(), List.of(each.getValue()), List.of());
    }
    runSlots(1);
  }

  private void runSlots(int slots) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(slots);
    List<Future<@Nullable Void>> running = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      running.add(threads.submit(this::runSlot));
    }
    threads.shutdown();
    for (Future<@Nullable Void> slot : running) {
      try {
        slot.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private @Nullable Void runSlot() throws InterruptedException {
    for (WorkQueue.Part part = queue.claim(); part != null; part = queue.claim()) {
      try {
        runPart(part);
      } finally {
        queue.release(part);
      }
    }
    return null;
  }

  private void runPart(WorkQueue.Part part) {
    String className = queue.next(part);
    while (className != null) {
      try (TestJvm jvm = TestJvm.start(part.module(), jvmOptions(part))) {
        while (className != null && !jvm.isBroken()) {
          finished(part, jvm.run(className, part.deferredTags(), classTimeout()));
          className = queue.next(part);
        }
      } catch (IOException e) {
        if (className != null) {
          finished(part, ClassResult.broken(className, e.toString(), 0));
        }
        className = queue.next(part);
      }
    }
  }

  private List<String> jvmOptions(WorkQueue.Part part) {
    boolean isShared = part.deferredTags().contains(OWN_JVM);
    if (options.isLong() || !isShared) {
      return jvmOptions;
    }
    return Stream.concat(jvmOptions.stream(), EVERYDAY_JVM_OPTIONS.stream()).toList();
  }

  private Duration classTimeout() {
    return options.isLong() ? LONG_CLASS_TIMEOUT : EVERYDAY_CLASS_TIMEOUT;
  }

  private void finished(WorkQueue.Part part, ClassResult result) {
    if (result.deferredBy().equals(EXCLUSIVE)) {
      exclusive.add(Map.entry(part.module(), result.className()));
    } else if (result.isDeferred()) {
      queue.add(part.module(), List.of(result.className()), List.of(EXCLUSIVE));
    } else {
      times.record(result);
      progress.finished(part.module(), result);
    }
  }
}
