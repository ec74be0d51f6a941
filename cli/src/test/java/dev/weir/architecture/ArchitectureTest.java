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
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Holds the directions between the modules, and a few rules of the engine. */
class ArchitectureTest {

  private static final String CORE = "dev.weir";
  private static final String TESTKIT = "dev.weir.testkit..";
  private static final String POLICY = "dev.weir.policy..";
  private static final String HTTP = "dev.weir.http..";
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
            CORE, TESTKIT, "java..", "org.jspecify.annotations", "org.junit..", "org.assertj..")
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
  void noClientInputMeetsARegularExpressionOrAnExpressionLanguage() {
    noClasses()
        .that()
        .haveFullyQualifiedName("dev.weir.policy.PathTree")
        .or()
        .haveFullyQualifiedName("dev.weir.policy.RuleIndex")
        .or()
        .haveFullyQualifiedName("dev.weir.policy.RequestPath")
        .or()
        .haveFullyQualifiedName("dev.weir.policy.Match")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.regex..", "javax.script..")
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
