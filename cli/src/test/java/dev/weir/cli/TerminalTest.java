package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {

  @Test
  void isPlainWhereTheLauncherSawNoTerminal() {
    assertThat(Terminal.of(Map.of(), new Properties())).isEqualTo(new Terminal(80, false, true));
  }

  @Test
  void takesColoursAndWidthFromTheLauncher() {
    assertThat(Terminal.of(Map.of(), launched("132")))
        .isEqualTo(new Terminal(132, 50, true, true, true));
    assertThat(Terminal.of(Map.of(), launched("0")).columns()).isEqualTo(80);
  }

  @Test
  void respectsNoColorAndDumbTerminals() {
    assertThat(Terminal.of(Map.of("NO_COLOR", "1"), launched("80")).color()).isFalse();
    assertThat(Terminal.of(Map.of("NO_COLOR", ""), launched("80")).color()).isTrue();
    assertThat(Terminal.of(Map.of("TERM", "dumb"), launched("80")).color()).isFalse();
  }

  @Test
  void canBeDrawnOverUnlessItIsDumb() {
    assertThat(Terminal.of(Map.of("NO_COLOR", "1"), launched("80")).isScreen()).isTrue();
    assertThat(Terminal.of(Map.of("TERM", "dumb"), launched("80")).isScreen()).isFalse();
    assertThat(Terminal.of(Map.of(), new Properties()).isScreen()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "C.UTF-8, '', true",
    "de_DE.utf8, '', true",
    "'', en_US.UTF-8, true",
    "C, en_US.UTF-8, false",
    "'', de_DE.ISO-8859-1, false",
    "POSIX, '', false"
  })
  void drawsUnicodeInUtf8LocalesOnly(String lcAll, String lang, boolean unicode) {
    assertThat(Terminal.of(Map.of("LC_ALL", lcAll, "LANG", lang), new Properties()).unicode())
        .isEqualTo(unicode);
  }

  private static Properties launched(String columns) {
    Properties properties = new Properties();
    properties.setProperty(Terminal.TERMINAL_PROPERTY, "true");
    properties.setProperty(Terminal.COLUMNS_PROPERTY, columns);
    properties.setProperty(Terminal.ROWS_PROPERTY, "50");
    return properties;
  }
}
