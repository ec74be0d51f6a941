package dev.weir.cli;

import static java.util.stream.Collectors.joining;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A few statements on a page, to be compiled and run. They are put into a method in such a way that
 * their line numbers are those of the page; {@code import} lines among them are moved to where they
 * belong. A block of nothing but {@code import} lines holds for the whole page.
 *
 * @param name the name of its class
 */
record JavaSnippet(MarkdownPage page, MarkdownPage.Block block, String name) {

  /** What getting-started tells its readers to import. */
  private static final List<String> IMPORTS =
      List.of("dev.weir.*", "java.time.*", "java.util.*", "java.util.concurrent.*");

  /**
   * Compiles several into one folder, which is far faster than one by one.
   *
   * @return whether all are right; if not, {@link #compile} says of each what is wrong
   */
  static boolean compileTogether(List<JavaSnippet> snippets, Path folder) throws IOException {
    return compile(snippets, folder).isEmpty();
  }

  /** Compiles it alone into that folder. */
  void compile(Path folder) throws IOException {
    List<Diagnostic<? extends JavaFileObject>> found = compile(List.of(this), folder);
    if (!found.isEmpty()) {
      throw new AssertionError(found.stream().map(this::message).collect(joining("\n")));
    }
  }

  /** Compiles it alone into that folder, and returns what it prints. */
  String compileAndRun(Path folder) throws Exception {
    compile(folder);
    return run(folder);
  }

  /** Runs what has been compiled into that folder, and returns what it prints. */
  String run(Path folder) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, JavaSnippet.class.getClassLoader())) {
      Method main = loader.loadClass(name).getDeclaredMethod("main");
      main.setAccessible(true);
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      main.invoke(null);
    } catch (InvocationTargetException thrown) {
      throw failure(Objects.requireNonNullElse(thrown.getCause(), thrown));
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  /** Returns what is wrong. */
  private static List<Diagnostic<? extends JavaFileObject>> compile(
      List<JavaSnippet> snippets, Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new AssertionError("the examples need a JDK to be compiled; this is a JRE");
    }
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (var files = compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty("java.class.path"),
              "--release",
              "17",
              "-proc:none",
              "-Xlint:all,-classfile,-path",
              "-Werror");
      List<JavaFileObject> sources = snippets.stream().map(JavaSnippet::source).toList();
      boolean isRight = compiler.getTask(null, files, found, options, null, sources).call();
      return isRight ? List.of() : found.getDiagnostics();
    }
  }

  private String message(Diagnostic<?> diagnostic) {
    String text = diagnostic.getMessage(null);
    return diagnostic.getLineNumber() == Diagnostic.NOPOS
        ? page.name() + ": " + text
        : page.at((int) diagnostic.getLineNumber()) + ": " + text;
  }

  private AssertionError failure(Throwable thrown) {
    int line =
        Stream.of(thrown.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith(name))
            .mapToInt(StackTraceElement::getLineNumber)
            .findFirst()
            .orElse(block.line());
    return new AssertionError(page.at(line) + ": throws " + thrown, thrown);
  }

  private JavaFileObject source() {
    String code = code();
    return new SimpleJavaFileObject(
        URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
      }
    };
  }

  private String code() {
    String imports =
        Stream.of(
                IMPORTS.stream().map(name -> "import " + name + ";"),
                importsOfPage(),
                block.lines().stream().filter(JavaSnippet::isImport))
            .flatMap(Function.identity())
            .distinct()
            .collect(joining(" "));
    String body =
        block.lines().stream().map(line -> isImport(line) ? "" : line).collect(joining("\n"));
    return imports
        + " final class "
        + name
        + " { static void main() throws Exception {"
        + "\n".repeat(block.line() - 1)
        + body
        + "\n} }";
  }

  private Stream<String> importsOfPage() {
    return page.blocks().stream()
        .filter(other -> other.language().equals("java"))
        .filter(other -> other.lines().stream().allMatch(JavaSnippet::isImport))
        .flatMap(other -> other.lines().stream());
  }

  private static boolean isImport(String line) {
    return line.startsWith("import ");
  }
}
