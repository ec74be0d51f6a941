package dev.weir.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Many patterns as one tree over segments: finds the numbers of all that match a path in one walk
 * along it. The walk keeps every place of the tree that the path so far leads to; there is more
 * than one only after a wildcard. So the cost depends on the path and the wildcards it meets, not
 * on the number of patterns.
 */
final class PathTree {
  private final Node root;
  private final int repeating;

  private PathTree(Node root, int repeating) {
    this.root = root;
    this.repeating = repeating;
  }

  /** Collects patterns and their numbers. */
  static final class Builder {
    private static final class Growing {
      final Map<String, Growing> literals = new HashMap<>();
      @Nullable Growing one;
      @Nullable Growing any;
      final List<Integer> numbers = new ArrayList<>();

      Growing next(String segment) {
        if (segment.equals(PathPattern.ONE)) {
          one = one == null ? new Growing() : one;
          return one;
        }
        if (segment.equals(PathPattern.ANY)) {
          any = any == null ? new Growing() : any;
          return any;
        }
        return literals.computeIfAbsent(segment, absent -> new Growing());
      }
    }

    private final Growing root = new Growing();
    private int repeating;

    void add(PathPattern pattern, int number) {
      Growing at = root;
      for (String segment : pattern.segments()) {
        at = at.next(segment);
      }
      at.numbers.add(number);
    }

    PathTree build() {
      Node finished = finished("", root, Node.NOT_REPEATING);
      return new PathTree(finished, repeating);
    }

    private Node finished(String segment, Growing place, int repeats) {
      List<Node> literals = new ArrayList<>();
      place.literals.forEach(
          (name, child) -> literals.add(finished(name, child, Node.NOT_REPEATING)));
      return new Node(
          segment,
          repeats,
          literals,
          place.one == null ? null : finished("", place.one, Node.NOT_REPEATING),
          place.any == null ? null : finished("", place.any, repeating++),
          RuleIndex.ints(place.numbers));
    }
  }

  /** A place in the tree. */
  private static final class Node {
    static final int NOT_REPEATING = -1;

    /** The segment that leads here and its hash; empty if a wildcard does. */
    final String segment;

    final int hash;

    /**
     * If it stands for **, and so stays where it is for every segment, its number among those that
     * do; else {@link #NOT_REPEATING}.
     */
    final int repeats;

    /**
     * The places that segments lead to, open-addressed by their hashes. Looked up by a region of
     * the path, so that matching cuts no strings out of it.
     */
    final @Nullable Node[] literals;

    final @Nullable Node one;
    final @Nullable Node any;
    final int[] numbers;

    Node(
        String segment,
        int repeats,
        List<Node> literals,
        @Nullable Node one,
        @Nullable Node any,
        int[] numbers) {
      this.segment = segment;
      this.hash = hash(segment);
      this.repeats = repeats;
      this.literals = new Node[Integer.highestOneBit(Math.max(1, 4 * literals.size()))];
      this.one = one;
      this.any = any;
      this.numbers = numbers;
      literals.forEach(this::add);
    }

    private static int hash(String segment) {
      int hash = 0;
      for (int i = 0; i < segment.length(); i++) {
        hash = hash(hash, segment.charAt(i));
      }
      return hash;
    }

    /** The hash of what was hashed so far, from 0 on, and one character more. */
    static int hash(int soFar, char next) {
      return 31 * soFar + next;
    }

    private void add(Node literal) {
      int slot = slot(literal.hash);
      while (literals[slot] != null) {
        slot = (slot + 1) & (literals.length - 1);
      }
      literals[slot] = literal;
    }

    private int slot(int hash) {
      return (hash ^ hash >>> 15) & (literals.length - 1);
    }

    /** Where the segment leads that is the region of {@code path} and has that hash, or null. */
    @Nullable Node literal(String path, int start, int end, int hash) {
      for (int slot = slot(hash); ; slot = (slot + 1) & (literals.length - 1)) {
        Node found = literals[slot];
        if (found == null
            || (found.hash == hash
                && found.segment.length() == end - start
                && path.startsWith(found.segment, start))) {
          return found;
        }
      }
    }
  }

  /** Places that a walk has come to. */
  private static final class Places {
    Node[] nodes = new Node[16];
    int size;

    void add(Node node) {
      if (size == nodes.length) {
        nodes = Arrays.copyOf(nodes, 2 * size);
      }
      nodes[size++] = node;
    }
  }

  /** What a walk needs; used again and again by one thread. */
  static final class Walk {
    private Places here = new Places();
    private Places next = new Places();

    /** For each repeating place the segment at which it was entered last; no two are the same. */
    private long[] enteredAt = new long[0];

    private long segment;
    private long steps;

    /** How many steps all its matches took together, which is what they cost. */
    long steps() {
      return steps;
    }

    private void start(PathTree tree) {
      here.size = 0;
      segment++;
      if (enteredAt.length < tree.repeating) {
        enteredAt = new long[tree.repeating];
      }
    }

    /** Only a repeating place can be reached twice: from where it is, and from before it. */
    private boolean isEntered(Node node) {
      if (node.repeats == Node.NOT_REPEATING) {
        return false;
      }
      boolean isEntered = enteredAt[node.repeats] == segment;
      enteredAt[node.repeats] = segment;
      return isEntered;
    }

    private void enter(Node first, Places places) {
      for (Node node = first; node != null; node = node.any) {
        steps++;
        if (isEntered(node)) {
          return;
        }
        places.add(node);
      }
    }

    private void step(String path, int start, int end, int hash) {
      next.size = 0;
      segment++;
      for (int i = 0; i < here.size; i++) {
        Node node = here.nodes[i];
        if (node.repeats != Node.NOT_REPEATING) {
          enter(node, next);
        }
        Node literal = node.literal(path, start, end, hash);
        if (literal != null) {
          enter(literal, next);
        }
        if (node.one != null) {
          enter(node.one, next);
        }
      }
      Places swap = here;
      here = next;
      next = swap;
    }
  }

  /** Adds the numbers of all patterns that match a canonical path. */
  void match(String path, Walk walk, IntBag found) {
    walk.start(this);
    if (!path.startsWith("/")) {
      return;
    }
    walk.enter(root, walk.here);
    int length = path.length();
    // Where the path leads nowhere any more, the rest of it does not matter.
    for (int start = 1; start < length && walk.here.size > 0; ) {
      int end = start;
      int hash = 0;
      for (; end < length && path.charAt(end) != '/'; end++) {
        hash = Node.hash(hash, path.charAt(end));
      }
      walk.step(path, start, end, hash);
      start = end + 1;
    }
    for (int i = 0; i < walk.here.size; i++) {
      found.addAll(walk.here.nodes[i].numbers);
    }
  }
}
