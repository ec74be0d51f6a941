package dev.weir.testrunner;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Counts the tests of one class. JUnit calls it from one thread at a time. */
final class ResultListener implements TestExecutionListener {
  private final List<ClassResult.Failure> failures = new ArrayList<>();
  private @Nullable TestPlan plan;
  private int passed;
  private int skipped;

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    skipped += countTests(identifier);
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (identifier.isTest()) {
          passed++;
        }
      }
      // An assumption does not hold, perhaps in the set-up of the class.
      case ABORTED -> skipped += countTests(identifier);
      case FAILED ->
          failures.add(
              new ClassResult.Failure(
                  identifier.getDisplayName(),
                  result.getThrowable().map(ResultListener::trace).orElse("no stack trace")));
    }
  }

  private int countTests(TestIdentifier identifier) {
    if (identifier.isTest()) {
      return 1;
    }
    TestPlan known = plan;
    return known == null
        ? 0
        : (int) known.getDescendants(identifier).stream().filter(TestIdentifier::isTest).count();
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  ClassResult result(String className, long millis) {
    return new ClassResult(className, "", passed, skipped, failures, millis);
  }
}
