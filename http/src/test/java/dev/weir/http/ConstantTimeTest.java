package dev.weir.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.utils.ConstantTimeUtils;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a comparison takes must tell nothing of a secret: held by what may call what. */
class ConstantTimeTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.weir.http", "dev.weir.policy");

  @Test
  @DisplayName("T20: signatures by a secret are compared in constant time, and nowhere here")
  void signaturesAreComparedInConstantTime() {
    classes()
        .should()
        .callMethod(ConstantTimeUtils.class, "areEqual", byte[].class, byte[].class)
        .check(new ClassFileImporter().importClasses(MACVerifier.class));
    noClasses().should().dependOnClassesThat().resideInAPackage("javax.crypto..").check(OURS);
  }

  @Test
  @DisplayName("T20: bytes are compared where they are public keys, and nowhere else")
  void bytesAreComparedWhereTheyArePublic() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(JwksRefresh.class.getName())
        .should()
        .callMethod(Arrays.class, "equals", byte[].class, byte[].class)
        .check(OURS);
  }

  @Test
  @DisplayName("T20: what takes the secret of a key out of a request compares it with nothing")
  void theSecretOfAKeyIsComparedWithNothing() {
    noClasses()
        .that()
        .haveFullyQualifiedName(RequestFacts.class.getName())
        .should()
        .callMethod(String.class, "equals", Object.class)
        .orShould()
        .callMethod(String.class, "contentEquals", CharSequence.class)
        .orShould()
        .callMethod(String.class, "compareTo", String.class)
        .orShould()
        .callMethod(String.class, "startsWith", String.class)
        .check(OURS);
  }
}
