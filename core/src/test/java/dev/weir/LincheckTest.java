package dev.weir;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;

/**
 * How long Lincheck looks at a subject: a class whose operations, run by several threads, must
 * answer as if they had run one after the other.
 *
 * <p>Model checking tries the interleavings of small scenarios under sequential consistency; stress
 * runs them on the machine as it is. With the system property {@code weir.long} both take longer.
 */
// Lincheck rewrites classes as they are loaded.
@Tag("own-jvm")
abstract class LincheckTest {
  private static final boolean LONG = Boolean.getBoolean("weir.long");

  /**
   * An execution that takes longer counts as hung; the default of 10 s is too short on a busy
   * machine.
   */
  private static final long HANG_TIMEOUT_MILLIS = 300_000;

  /** Classes without a state that threads share: no interleaving within them matters. */
  private static final String[] PURE = {
    "dev.weir.BackOff", "dev.weir.Counter", "dev.weir.Exact", "dev.weir.Micros", "dev.weir.SipHash",
  };

  /** Checks random scenarios of the subject against itself, run by one thread. */
  static void modelCheck(Class<?> subject) {
    modelCheck(subject, subject);
  }

  static void modelCheck(Class<?> subject, Class<?> specification) {
    modelChecking(LONG ? 200 : 30)
        .iterations(LONG ? 10 : 2)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        // Lets go of loops early in the short run, which takes a third of the time and misses some
        // interleavings. The scenarios that are written out do not depend on this.
        .loopIterationsBeforeThreadSwitch(LONG ? 10 : 3)
        .sequentialSpecification(specification)
        .check(subject);
  }

  /**
   * Checks one scenario only.
   *
   * @param interleavings how many of them the short run tries, those with the fewest switches first
   */
  static void modelCheck(Class<?> subject, int interleavings, ExecutionScenario scenario) {
    modelChecking(LONG ? 20 * interleavings : interleavings)
        .iterations(0)
        .addCustomScenario(scenario)
        .check(subject);
  }

  private static ModelCheckingOptions modelChecking(int invocations) {
    return new ModelCheckingOptions()
        .invocationsPerIteration(invocations)
        .invocationTimeout$lincheck(HANG_TIMEOUT_MILLIS)
        .addGuarantee(forClasses(PURE).allMethods().ignore());
  }

  static void stress(Class<?> subject) {
    stress(subject, subject);
  }

  static void stress(Class<?> subject, Class<?> specification) {
    new StressOptions()
        .invocationTimeout$lincheck(HANG_TIMEOUT_MILLIS)
        .iterations(LONG ? 20 : 2)
        .invocationsPerIteration(LONG ? 1_000 : 100)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .sequentialSpecification(specification)
        .check(subject);
  }

  /** One thread first, then two beside each other, then one again. */
  static ExecutionScenario scenario(
      List<Actor> before, List<Actor> one, List<Actor> other, List<Actor> after) {
    return new ExecutionScenario(before, List.of(one, other), after, null);
  }

  /** The call of an operation in a scenario. */
  static Actor call(Class<?> subject, String operation, Object... arguments) {
    Method method =
        Arrays.stream(subject.getMethods())
            .filter(candidate -> candidate.getName().equals(operation))
            .findFirst()
            .orElseThrow();
    return new Actor(method, List.of(arguments));
  }
}
