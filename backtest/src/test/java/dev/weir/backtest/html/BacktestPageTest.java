package dev.weir.backtest.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.BacktestReport.Before;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class BacktestPageTest {
  private static final Before OTHER_POLICY = new Before.Policy("0123abcd");

  private static Document parsed(String page)
      throws ParserConfigurationException, IOException, SAXException {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return builder.parse(new InputSource(new StringReader(page)));
  }

  private static List<Element> elements(Document page, String name) {
    NodeList nodes = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static Document page(Before before, String name) throws Exception {
    return parsed(
        BacktestPage.of(SampleReport.of(before, name), SampleReport.suggestions(name, 1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img src=x onerror=alert(1)>",
        "</style><script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "' style='background:url(x)",
        "&lt;b&gt; &amp;",
        "]]> <!-- -->",
        "javascript:alert(1)",
        "a\u0000b\u0007c\u001b[31m\ufffe",
        "\u202etxt.exe\u2066",
        "\ud800 half \udc00",
        "na\u00efve \ud83d\ude00 \u4e2d\u6587"
      })
  void whatStrangersChoseIsText(String hostile) throws Exception {
    String written =
        BacktestPage.of(
            SampleReport.of(new Before.Policy(hostile), hostile),
            SampleReport.suggestions(hostile, 8));
    Document page = parsed(written);
    Document harmless = page(new Before.Policy("name"), "name");
    // No element, and no attribute, more or less than with a name that means nothing.
    assertThat(skeleton(page)).isEqualTo(skeleton(harmless));
    assertThat(written).doesNotContain("<script", "<img", "\u202e", "\u0007", "\u001b");
    assertThat(elements(page, "style")).hasSize(1);
  }

  /** All elements with the names of their attributes. */
  private static List<String> skeleton(Document page) {
    List<String> skeleton = new ArrayList<>();
    for (Element element : elements(page, "*")) {
      StringBuilder text = new StringBuilder(element.getTagName());
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        text.append(' ').append(element.getAttributes().item(i).getNodeName());
      }
      skeleton.add(text.toString());
    }
    return skeleton;
  }

  @Test
  void showsANameAsItIs() throws Exception {
    String name = "a <b> & \"c\" 'd' \u4e2d";
    Document page = page(OTHER_POLICY, name);
    assertThat(elements(page, "th"))
        .extracting(Element::getTextContent)
        .filteredOn(name::equals)
        .hasSize(4);
  }

  @Test
  void showsWhatCannotBeShownByItsCode() throws Exception {
    Document page = page(OTHER_POLICY, "a\u0007\u202eb\n");
    assertThat(elements(page, "th"))
        .extracting(Element::getTextContent)
        .contains("a\\u{7}\\u{202e}b\\u{a}");
  }

  @Test
  void loadsNothingAndRunsNothing() throws Exception {
    Document page = page(OTHER_POLICY, "name");
    Set<String> attributes = new HashSet<>();
    for (Element element : elements(page, "*")) {
      assertThat(element.getTagName())
          .isNotIn(
              "script", "link", "iframe", "object", "embed", "img", "a", "form", "base", "use");
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        attributes.add(element.getAttributes().item(i).getNodeName());
      }
    }
    assertThat(attributes)
        .doesNotContain("src", "href", "srcset", "action", "data", "poster", "xlink:href")
        .noneMatch(name -> name.startsWith("on"));
    String written = BacktestPage.of(SampleReport.of(OTHER_POLICY, "name"), null);
    assertThat(written).doesNotContain("http://", "https://", "url(", "@import");
    assertThat(elements(page, "meta"))
        .anyMatch(
            meta ->
                meta.getAttribute("http-equiv").equals("Content-Security-Policy")
                    && meta.getAttribute("content")
                        .equals("default-src 'none'; style-src 'unsafe-inline'; img-src data:"));
  }

  @Test
  void tellsReadersOfTheScreenWhatTablesAndDrawingsAre() throws Exception {
    Document page = page(OTHER_POLICY, "name");
    Set<String> ids = new HashSet<>();
    elements(page, "*").stream()
        .map(element -> element.getAttribute("id"))
        .filter(id -> !id.isEmpty())
        .forEach(id -> assertThat(ids.add(id)).as(id).isTrue());
    for (Element table : elements(page, "table")) {
      assertThat(table.getElementsByTagName("caption").getLength()).isEqualTo(1);
    }
    for (Element header : elements(page, "th")) {
      assertThat(header.getAttribute("scope")).isIn("col", "row");
    }
    for (Element drawing : elements(page, "svg")) {
      if (drawing.getAttribute("role").equals("img")) {
        assertThat(ids).contains(drawing.getAttribute("aria-labelledby").split(" "));
      } else {
        assertThat(drawing.getAttribute("aria-hidden")).isEqualTo("true");
      }
    }
    assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
  }

  @Test
  void saysWhatChanges() throws Exception {
    Document page = page(OTHER_POLICY, "name");
    assertThat(elements(page, "dl").get(0).getTextContent())
        .contains("requests48,000replayed")
        .contains("refused4,80010 % of requests")
        .contains("newly refused2,8806.0 % of requests")
        .contains("no longer refused9602.0 % of requests");
    assertThat(elements(page, "h2"))
        .extracting(Element::getTextContent)
        .containsExactly("Time line", "Rules", "Endpoints", "Clients", "Suggestions", "The log");
    assertThat(elements(page, "td")).extracting(Element::getTextContent).contains("40 to 42");
    assertThat(elements(page, "rect"))
        .filteredOn(rect -> rect.getAttribute("class").equals("newly"))
        .hasSize(2 * 48 + 1);
  }

  @Test
  void leavesOutComparisonsWhereThereIsNothingToCompareWith() throws Exception {
    BacktestReport report = SampleReport.of(new Before.Nothing(), "name");
    String written = BacktestPage.of(report, null);
    assertThat(written).doesNotContain("newly refused", "no longer", "refused before", "hurt");
    assertThat(elements(parsed(written), "h2"))
        .extracting(Element::getTextContent)
        .doesNotContain("Suggestions");
  }

  @Test
  void aReportOfNothingIsAPage() throws Exception {
    Document page = parsed(BacktestPage.of(SampleReport.empty(), null));
    assertThat(elements(page, "dd").get(0).getTextContent()).startsWith("0");
    assertThat(elements(page, "h2"))
        .extracting(Element::getTextContent)
        .doesNotContain("Time line");
  }

  @Test
  void saysHowLargeASampleIs() throws Exception {
    Document exact = page(OTHER_POLICY, "name");
    assertThat(elements(exact, "summary").get(0).getTextContent())
        .isEqualTo("name 1,000 requests of 10 clients");
    Document sampled =
        parsed(
            BacktestPage.of(
                SampleReport.of(OTHER_POLICY, "name"), SampleReport.suggestions("name", 8)));
    assertThat(elements(sampled, "summary").get(0).getTextContent())
        .isEqualTo("name 1,000 requests; estimated from a sample of 10 clients, one in 8");
  }

  @Test
  void showsLimitsThatSufficeAndWhereNoneDoes() throws Exception {
    Document page = page(OTHER_POLICY, "name");
    assertThat(elements(page, "td"))
        .extracting(Element::getTextContent)
        .contains("2/s", "more than 2/s");
    assertThat(elements(page, "polyline")).hasSize(3);
  }
}
