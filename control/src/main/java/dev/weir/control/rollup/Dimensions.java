package dev.weir.control.rollup;

import java.util.Comparator;

/** What a row of metrics is about, besides its time; an empty text: nothing in particular. */
record Dimensions(String endpoint, String tier, String rule, String region)
    implements Comparable<Dimensions> {
  private static final Comparator<Dimensions> ORDER =
      Comparator.comparing(Dimensions::endpoint)
          .thenComparing(Dimensions::tier)
          .thenComparing(Dimensions::rule)
          .thenComparing(Dimensions::region);

  @Override
  public int compareTo(Dimensions other) {
    return ORDER.compare(this, other);
  }
}
