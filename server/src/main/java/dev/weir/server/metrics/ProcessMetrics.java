package dev.weir.server.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/** The JVM and its process, under the names that other services on a JVM use too. */
final class ProcessMetrics implements MetricSource {
  private static final double MILLIS = 1e-3;
  private static final double NANOS = 1e-9;

  @Override
  public List<Metric> read() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.gauge(
            "process_start_time_seconds",
            "When the process was started, in seconds since the epoch.",
            ManagementFactory.getRuntimeMXBean().getStartTime() * MILLIS));
    metrics.add(
        Metric.gauge(
            "process_uptime_seconds",
            "For how long the process has been running.",
            ManagementFactory.getRuntimeMXBean().getUptime() * MILLIS));
    addSystem(metrics);
    addMemory(metrics);
    metrics.add(
        Metric.gauge(
            "jvm_threads_current",
            "Threads that are alive.",
            ManagementFactory.getThreadMXBean().getThreadCount()));
    metrics.add(collections());
    return metrics;
  }

  /** What not every JVM and system can tell is left out. */
  private static void addSystem(List<Metric> metrics) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof OperatingSystemMXBean known) {
      metrics.add(
          Metric.counter(
              "process_cpu_seconds_total",
              "Processor time that the process has used.",
              known.getProcessCpuTime() * NANOS));
    }
    if (system instanceof UnixOperatingSystemMXBean unix) {
      metrics.add(
          Metric.gauge(
              "process_open_fds",
              "Files and connections that are open.",
              unix.getOpenFileDescriptorCount()));
      metrics.add(
          Metric.gauge(
              "process_max_fds",
              "The most files and connections that may be open.",
              unix.getMaxFileDescriptorCount()));
    }
  }

  private static void addMemory(List<Metric> metrics) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    Labels area = Labels.of("area", "heap");
    metrics.add(
        new Metric(
            "jvm_memory_used_bytes",
            "Memory in use.",
            Metric.Type.GAUGE,
            List.of(Metric.Sample.of(heap.getUsed(), area))));
    metrics.add(
        new Metric(
            "jvm_memory_max_bytes",
            "The most memory that may be used.",
            Metric.Type.GAUGE,
            List.of(Metric.Sample.of(heap.getMax(), area))));
  }

  private static Metric collections() {
    List<Metric.Sample> samples = new ArrayList<>();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      Labels labels = Labels.of("gc", collector.getName());
      samples.add(new Metric.Sample("_count", labels, (double) collector.getCollectionCount()));
      samples.add(new Metric.Sample("_sum", labels, collector.getCollectionTime() * MILLIS));
    }
    return new Metric(
        "jvm_gc_collection_seconds",
        "Collections of garbage and how long they took.",
        Metric.Type.SUMMARY,
        samples);
  }
}
