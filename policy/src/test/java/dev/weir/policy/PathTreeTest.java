package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PathTreeTest {
  private final PathTree.Walk walk = new PathTree.Walk();

  private static PathTree tree(List<PathPattern> patterns) {
    PathTree.Builder builder = new PathTree.Builder();
    for (int i = 0; i < patterns.size(); i++) {
      builder.add(patterns.get(i), i);
    }
    return builder.build();
  }

  private static PathTree tree(String... patterns) {
    return tree(List.of(patterns).stream().map(PathPattern::parse).toList());
  }

  private List<Integer> find(PathTree tree, String path) {
    IntBag found = new IntBag();
    tree.match(path, walk, found);
    found.sort();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      numbers.add(found.get(i));
    }
    return numbers;
  }

  @Test
  void findsAllThatMatch() {
    PathTree tree = tree("/a/b", "/a/*", "/a/**", "/**", "/**/b", "/a/{id}", "/", "/a", "/c/**");

    assertThat(find(tree, "/a/b")).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(find(tree, "/a")).containsExactly(2, 3, 7);
    assertThat(find(tree, "/")).containsExactly(3, 6);
    assertThat(find(tree, "/c/x/y")).containsExactly(3, 8);
  }

  @Test
  void findsNothingInAnEmptyTree() {
    assertThat(find(tree(), "/")).isEmpty();
    assertThat(find(tree(), "/a/b")).isEmpty();
  }

  @Test
  void noPatternMatchesATargetThatIsNoPath() {
    assertThat(find(tree("/**", "/*"), "*")).isEmpty();
  }

  @Test
  void equalPatternsAreAllFoundAndOnce() {
    PathTree tree = tree("/**/a/**", "/**/a/**", "/**/{x}/**", "/**/*/**");

    assertThat(find(tree, "/a/a/a/a")).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aWalkCanBeUsedAgain() {
    assertThat(find(tree("/a/**"), "/a/b")).containsExactly(0);
    assertThat(find(tree("/b/**"), "/a/b")).isEmpty();
    assertThat(find(tree("/b/**"), "*")).isEmpty();
  }

  @Test
  void findsManyLiteralsOfOneLength() {
    List<PathPattern> patterns = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      patterns.add(PathPattern.parse("/users/%04d/posts".formatted(i)));
    }
    // "Aa" and "BB" have one hash.
    patterns.add(PathPattern.parse("/Aa"));
    patterns.add(PathPattern.parse("/BB"));
    PathTree tree = tree(patterns);

    for (int i = 0; i < 2_000; i++) {
      assertThat(find(tree, "/users/%04d/posts".formatted(i))).containsExactly(i);
    }
    assertThat(find(tree, "/Aa")).containsExactly(2_000);
    assertThat(find(tree, "/BB")).containsExactly(2_001);
    assertThat(find(tree, "/AaBB")).isEmpty();
    assertThat(find(tree, "/users/2000/posts")).isEmpty();
  }

  @Test
  @DisplayName("T30: a path that nearly matches many ** costs no more than its length times theirs")
  void aPathThatNearlyMatchesCostsLittle() {
    PathTree tree = tree("/**/a".repeat(50) + "/b");

    assertThat(find(tree, "/a".repeat(4_000))).isEmpty();
    assertThat(walk.steps()).isLessThan(2 * 4_000 * 101);
  }

  @Test
  @DisplayName("T30: a path that enters every pattern and ends none costs its length squared")
  void aPathThatEntersEveryPatternCostsLittle() {
    List<PathPattern> patterns = new ArrayList<>();
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      patterns.add(PathPattern.parse("/**/" + i + "/**/end"));
      path.append('/').append(i);
    }
    PathTree tree = tree(patterns);

    assertThat(find(tree, path.toString())).isEmpty();
    assertThat(walk.steps()).isLessThan(2_000 * 2_000);
    assertThat(find(tree, path + "/end")).hasSize(2_000);
  }

  @Test
  void findsExactlyThePatternsThatMatch() {
    SplittableRandom random = new SplittableRandom(51);
    for (int round = 0; round < 1_000; round++) {
      List<PathPattern> patterns = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        patterns.add(RandomPaths.pattern(random));
      }
      PathTree tree = tree(patterns);
      for (int i = 0; i < 20; i++) {
        String path = RandomPaths.path(random);
        List<Integer> expected = new ArrayList<>();
        for (int number = 0; number < patterns.size(); number++) {
          if (patterns.get(number).matches(path)) {
            expected.add(number);
          }
        }
        assertThat(find(tree, path)).as("%s in %s", path, patterns).isEqualTo(expected);
      }
    }
  }
}
