package dev.weir.control.change;

import org.jspecify.annotations.Nullable;

/** The acts that one change consists of. Each becomes a row of {@code admin_audit}. */
public interface Acts {

  /** The version of the whole configuration that comes of the change. */
  long version();

  /**
   * Records an act.
   *
   * @param act such as {@code rule.create}
   * @param subject such as {@code rule:api_v1}
   * @param before what it was, in JSON and without secrets; null: there was nothing
   * @param after what it is; null: it is gone
   */
  void record(String act, String subject, @Nullable String before, @Nullable String after);
}
