package dev.weir.control.change;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A change that was not made, because of what was asked for. Nothing has changed. */
public final class ChangeRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final transient List<Flaw> flaws;

  /** What was wrong. */
  public enum Kind {
    /** What was to be changed is not there. */
    NOT_FOUND,
    /** Something that is there already stands against it. */
    CONFLICT,
    /** It was changed by somebody else in between. */
    PRECONDITION,
    /** A value is not what it has to be. */
    INVALID
  }

  /**
   * One thing that is wrong.
   *
   * @param field what it is wrong with, such as {@code match.ip}; empty if it is no field
   * @param problem what was expected and what came
   */
  public record Flaw(String field, String problem) {
    /** Problems that are a sentence about the field go on after its name. */
    @Override
    public String toString() {
      if (field.isEmpty()) {
        return problem;
      }
      boolean isSentence = problem.matches("(?s)(must|is|are|has|have|of)\\b.*");
      return field + (isSentence ? " " : ": ") + problem;
    }
  }

  /**
   * A refusal.
   *
   * @param field what is wrong, such as {@code limits}
   * @param problem what was expected and what came
   */
  public ChangeRefused(Kind kind, String field, String problem) {
    this(kind, List.of(new Flaw(field, problem)));
  }

  /** A refusal for all of those reasons, of which there is at least one. */
  public ChangeRefused(Kind kind, List<Flaw> flaws) {
    super(flaws.stream().map(Flaw::toString).collect(Collectors.joining("; ")));
    this.kind = kind;
    this.flaws = List.copyOf(flaws);
  }

  /** Refuses unless the version is the one that the caller has seen; null: any will do. */
  public static void requireVersion(String subject, long version, @Nullable Long expected) {
    if (expected != null && expected != version) {
      throw new ChangeRefused(
          Kind.PRECONDITION,
          "version",
          "of %s must be %d, which it is now, got %d".formatted(subject, version, expected));
    }
  }

  /** What was wrong. */
  public Kind kind() {
    return kind;
  }

  /** What it was wrong with first. */
  public String field() {
    return flaws.get(0).field();
  }

  /** All that was wrong. */
  public List<Flaw> flaws() {
    return flaws;
  }
}
