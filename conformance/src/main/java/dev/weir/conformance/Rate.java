package dev.weir.conformance;

/**
 * A limit as the table writes it: {@code 5/MINUTE}, or {@code 5/MINUTE slow} for one with a name.
 *
 * @param requestsPerUnit how many requests, from 0 on
 * @param unit per what
 * @param name the name, empty for none
 */
record Rate(long requestsPerUnit, Unit unit, String name) {

  static Rate parse(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0) {
      throw new IllegalArgumentException(
          "limit must look like 5/MINUTE or 5/MINUTE name, got \"" + text + "\"");
    }
    int space = text.indexOf(' ', slash);
    String unit = space < 0 ? text.substring(slash + 1) : text.substring(slash + 1, space);
    String name = space < 0 ? "" : text.substring(space + 1);
    return new Rate(Long.parseLong(text.substring(0, slash)), Unit.parse(unit), name);
  }

  @Override
  public String toString() {
    return requestsPerUnit + "/" + unit + (name.isEmpty() ? "" : " " + name);
  }
}
