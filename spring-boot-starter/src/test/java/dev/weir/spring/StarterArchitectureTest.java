package dev.weir.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the starter may see. */
class StarterArchitectureTest {
  private static final String STARTER = "dev.weir.spring";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(STARTER);

  @Test
  void dependsOnHttpAndSpringOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            STARTER + "..",
            "dev.weir",
            "dev.weir.policy..",
            "dev.weir.http..",
            "dev.weir.redis..",
            "java..",
            "org.jspecify.annotations",
            "org.springframework..",
            "org.aopalliance..",
            "jakarta.servlet..",
            "reactor..",
            "org.reactivestreams..",
            "io.micrometer..",
            "io.lettuce.core")
        .check(CLASSES);
  }

  @Test
  void whatMayBeMissingIsSeenOnlyWhereItIsLookedForFirst() {
    only("dev.weir.redis..", "RedisCounters|SpringRedis|StoreState.*");
    only("io.lettuce..", "SpringRedis");
    only("org.springframework.data..", "SpringRedis");
    only("jakarta.servlet..", "servlet\\..*");
    only("org.springframework.boot.web.servlet..", "servlet\\..*");
    only("io.micrometer..", "actuate\\..*");
    only("org.springframework.security..", "reactive\\.Users.*");
    only("reactor..", "reactive\\..*|method\\.RateLimitInterceptor.*|client\\.OutgoingLimitFilter");
  }

  private static void only(String what, String where) {
    noClasses()
        .that()
        .haveNameNotMatching("dev\\.weir\\.spring\\.(" + where + ")")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(what)
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(STARTER + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
