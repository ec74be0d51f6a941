package dev.weir.control.rows;

import java.util.ArrayList;
import java.util.List;

/** What an import has changed, by subject. */
public final class Imported {
  private final List<String> created = new ArrayList<>();
  private final List<String> updated = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();

  /** Notes something that is new. */
  public void create(String subject) {
    created.add(subject);
  }

  /** Notes something that is different. */
  public void update(String subject) {
    updated.add(subject);
  }

  /** Notes something that is gone. */
  public void delete(String subject) {
    deleted.add(subject);
  }

  /** What is new. */
  public List<String> created() {
    return List.copyOf(created);
  }

  /** What is different. */
  public List<String> updated() {
    return List.copyOf(updated);
  }

  /** What is gone. */
  public List<String> deleted() {
    return List.copyOf(deleted);
  }

  @Override
  public String toString() {
    return "created " + created + ", updated " + updated + ", deleted " + deleted;
  }
}
