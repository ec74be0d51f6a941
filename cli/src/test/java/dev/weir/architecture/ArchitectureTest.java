package dev.weir.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the directions between the modules, and a few rules of the engine. */
class ArchitectureTest {

  private static final String CORE = "dev.weir";
  private static final String TESTKIT = "dev.weir.testkit..";
  private static final String REDIS = "dev.weir.redis..";
  private static final String POLICY = "dev.weir.policy..";
  private static final String HTTP = "dev.weir.http..";
  private static final String CONTROL = "dev.weir.control..";
  private static final String BACKTEST = "dev.weir.backtest..";
  private static final String SERVER = "dev.weir.server..";
  private static final String CLI = "dev.weir.cli..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(CORE);

  @Test
  void coreDependsOnNothingButTheJdkAndAnnotations() {
    classes()
        .that()
        .resideInAPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(CORE, "java..", "org.jspecify.annotations")
        .check(CLASSES);
  }

  @Test
  void testkitDependsOnCoreAndTheTestLibrariesOnly() {
    classes()
        .that()
        .resideInAPackage(TESTKIT)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            CORE,
            TESTKIT,
            "java..",
            "org.jspecify.annotations",
            "org.junit..",
            "org.assertj..",
            "org.tukaani.xz")
        .check(CLASSES);
  }

  @Test
  void redisDependsOnCoreAndItsClientOnly() {
    classes()
        .that()
        .resideInAPackage(REDIS)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            CORE,
            REDIS,
            "java..",
            "javax.net.ssl",
            "org.jspecify.annotations",
            "io.lettuce..",
            "org.msgpack..")
        .check(CLASSES);
  }

  @Test
  void policyDependsOnCoreAndAReaderOfToml() {
    classes()
        .that()
        .resideInAPackage(POLICY)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(CORE, POLICY, "java..", "org.jspecify.annotations", "org.tomlj")
        .check(CLASSES);
  }

  @Test
  void httpDependsOnPolicyAndAVerifierOfTokens() {
    classes()
        .that()
        .resideInAPackage(HTTP)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            CORE, POLICY, HTTP, "java..", "org.jspecify.annotations", "com.nimbusds..")
        .check(CLASSES);
  }

  @Test
  void controlDependsOnPolicyAndItsWaysToDatabasesAndFiles() {
    classes()
        .that()
        .resideInAPackage(CONTROL)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            CORE,
            POLICY,
            CONTROL,
            "java..",
            "javax.sql",
            "org.jspecify.annotations",
            "com.fasterxml.jackson.core..",
            "com.github.benmanes.caffeine..",
            "org.jdbi..",
            "com.zaxxer.hikari..",
            "org.flywaydb..",
            "org.postgresql..",
            "com.jerolba.carpet..",
            "org.apache.parquet..",
            "software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  void backtestDependsOnPolicyAndItsReadersOfLogs() {
    classes()
        .that()
        .resideInAPackage(BACKTEST)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            CORE,
            POLICY,
            BACKTEST,
            "java..",
            "org.jspecify.annotations",
            "com.fasterxml.jackson.core..",
            "com.jerolba.carpet..",
            "org.apache.parquet..")
        .check(CLASSES);
  }

  @Test
  void onlyTheServerSeesItsFramework() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..", "com.google.protobuf..")
        .because("Lettuce is all that the Redis store sees, and Netty is behind it")
        .check(
            CLASSES.that(
                DescribedPredicate.describe(
                    "are not generated",
                    type -> !type.getPackageName().startsWith("dev.weir.envoy"))));
  }

  @Test
  void figuresAndDecisionsOfTheServerDoNotSeeItsFramework() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.weir.server.metrics..", "dev.weir.server.envoy..")
        .and()
        // Brings what comes over gRPC to those decisions.
        .haveNameNotMatching("dev\\.weir\\.server\\.envoy\\.EnvoyRateLimitService(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("T30: regular expressions read settings and their names, and nothing of a request")
  void noClientInputMeetsARegularExpression() {
    noClasses()
        .that()
        .resideInAnyPackage(
            CORE, "dev.weir.policy", "dev.weir.policy.event", HTTP, BACKTEST, SERVER)
        .and()
        // Those read what policies say, by patterns that are their own.
        .haveNameNotMatching("dev\\.weir\\.(LimitText|policy\\.Cidr)")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.regex..")
        .orShould()
        .callMethod(String.class, "matches", String.class)
        .orShould()
        .callMethod(String.class, "replaceAll", String.class, String.class)
        .orShould()
        .callMethod(String.class, "replaceFirst", String.class, String.class)
        .check(CLASSES);
  }

  @Test
  @DisplayName("T31: there is no expression language and no script engine")
  void nothingIsEvaluated() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "javax.script..",
            "javax.el..",
            "jakarta.el..",
            "javax.tools..",
            "javax.naming..",
            "jdk.dynalink..",
            "org.springframework.expression..",
            "org.graalvm..",
            "org.mozilla.javascript..",
            "org.mvel2..",
            "org.apache.commons.jexl..",
            "ognl..",
            "groovy..",
            "org.codehaus.groovy..",
            "org.luaj..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("T31: no text of a policy or a request becomes a class, a call or a process")
  void noTextBecomesCode() {
    noClasses()
        .that()
        .resideInAnyPackage(CORE, POLICY, HTTP)
        .and()
        // Reaches the JDK's signals by names that are its own.
        .doNotHaveFullyQualifiedName("dev.weir.policy.config.ProcessSignal")
        .should()
        .callMethod(Class.class, "forName", String.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ClassLoader.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.reflect..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ProcessBuilder.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .check(CLASSES);
  }

  @Test
  void nothingDependsOnTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CLI)
        .check(CLASSES);
  }

  @Test
  void theCommandLineShipsNothingOfTheTestkit() {
    noClasses()
        .that()
        .resideInAPackage(CLI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(TESTKIT)
        .check(CLASSES);
  }

  @Test
  void modulesFormNoCycle() {
    slices().matching("dev.weir.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noFloatingPointInCore() {
    DescribedPredicate<JavaClass> floating =
        DescribedPredicate.describe(
            "float or double",
            type -> type.isEquivalentTo(double.class) || type.isEquivalentTo(float.class));
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(CORE)
        .should()
        .notHaveRawType(floating)
        .check(CLASSES);
    methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(CORE)
        .should()
        .notHaveRawReturnType(floating)
        .check(CLASSES);
  }

  @Test
  void coreReadsTheWallClockInOnePlace() {
    noClasses()
        .that()
        .resideInAPackage(CORE)
        .and()
        .doNotHaveSimpleName("SystemTime")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(CLASSES);
  }
}
