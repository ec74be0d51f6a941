package dev.weir.policy;

/**
 * A request that cannot be decided, since a part of it makes no sense or could mean several things:
 * the caller's mistake, to be answered with 400. Has no stack trace, since strangers cause it.
 */
public final class MalformedRequestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String field;

  /** The part with that name is wrong in that way. */
  public MalformedRequestException(String field, String problem) {
    super(field + " " + problem);
    this.field = field;
  }

  /** The part of the request that is wrong. */
  public String field() {
    return field;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
