package dev.weir.control.rows;

import dev.weir.Limit;
import dev.weir.control.change.ChangeRefused;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes limits of what columns say. Numbers are permits for a span, the shorter spans first; a
 * burst is that of the shortest of them. Texts are whole limits.
 */
public final class LimitColumns {
  /** Each of them is looked at for every request. */
  private static final int MOST = 16;

  private final List<Limit> limits = new ArrayList<>();
  private final String burstColumn;
  private @Nullable Long burst;

  /** With that burst for the first of the limits. */
  public LimitColumns(String burstColumn, @Nullable Long burst) {
    this.burstColumn = burstColumn;
    this.burst = burst;
  }

  /**
   * Adds permits for a span; null: none.
   *
   * @param unit as in a limit's text, such as {@code h}
   */
  public LimitColumns add(String column, @Nullable Long permits, String unit) {
    if (permits != null) {
      String text = permits + "/" + unit;
      limits.add(parse(column, burst == null ? text : text + " burst " + burst));
      burst = null;
    }
    return this;
  }

  /** Adds limits that are texts. */
  public LimitColumns addAll(String column, List<String> texts) {
    texts.forEach(text -> limits.add(parse(column, text)));
    if (limits.size() > MOST) {
      throw refusal(column, "must be at most " + MOST + " in all, got " + limits.size());
    }
    return this;
  }

  private static Limit parse(String column, String text) {
    try {
      return Limit.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw refusal(column, "is wrong: " + wrong.getMessage());
    }
  }

  /** All of them. */
  public List<Limit> limits() {
    if (burst != null) {
      throw refusal(burstColumn, "must have a limit beside it whose burst it is, got " + burst);
    }
    return List.copyOf(limits);
  }

  private static ChangeRefused refusal(String column, String problem) {
    return new ChangeRefused(ChangeRefused.Kind.INVALID, column, problem);
  }
}
