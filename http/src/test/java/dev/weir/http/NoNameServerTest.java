package dev.weir.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NoNameServerTest {

  @Test
  @DisplayName("T10: nothing that reads addresses can ask a name server")
  void nothingThatReadsAddressesCanAskANameServer() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(InetAddress.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(InetSocketAddress.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(URL.class)
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.weir.http", "dev.weir.policy"));
  }
}
