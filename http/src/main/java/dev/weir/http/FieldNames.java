package dev.weir.http;

/**
 * The names of the first family of fields, put together once for a prefix, of which there is hardly
 * ever more than one.
 *
 * @param prefix what they start with
 * @param limit how much is allowed
 * @param remaining how much is left
 * @param reset when all is there again
 */
record FieldNames(String prefix, String limit, String remaining, String reset) {
  private static volatile FieldNames latest = startingWith("X-RateLimit-");

  static FieldNames of(String prefix) {
    FieldNames names = latest;
    if (!names.prefix.equals(prefix)) {
      names = startingWith(prefix);
      latest = names;
    }
    return names;
  }

  private static FieldNames startingWith(String prefix) {
    return new FieldNames(prefix, prefix + "Limit", prefix + "Remaining", prefix + "Reset");
  }
}
