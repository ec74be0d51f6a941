package dev.weir.policy;

import java.util.AbstractList;
import java.util.Arrays;

/**
 * A list that is filled anew for each request, mostly with what it had before: that is not written
 * again. To write a reference into an object as old as this one, collectors have to be told of it,
 * which takes longer than to look. What is cleared stays reachable until it is written over.
 */
final class StepList extends AbstractList<Step> {
  private Step[] steps = new Step[4];
  private int size;

  @Override
  @SuppressWarnings("ReferenceEquality") // An equal one would do, but is hardly ever there.
  public boolean add(Step step) {
    if (size == steps.length) {
      steps = Arrays.copyOf(steps, 2 * size);
    }
    if (steps[size] != step) {
      steps[size] = step;
    }
    size++;
    return true;
  }

  @Override
  public Step get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException("index %d of %d".formatted(index, size));
    }
    return steps[index];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void clear() {
    size = 0;
  }
}
