package dev.weir.control.usage;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What users and keys have used on one day. */
final class UsageTally {
  final long day;
  final Map<String, UsageCell> users = new ConcurrentHashMap<>();
  final Map<String, UsageCell> keys = new ConcurrentHashMap<>();

  UsageTally(long day) {
    this.day = day;
  }

  Map<String, UsageCell> of(UsageDelta.Kind kind) {
    return kind == UsageDelta.Kind.USER ? users : keys;
  }
}
