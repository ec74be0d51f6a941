package dev.weir.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {
  // So many that two JVMs which chose at random would all but surely meet.
  private static final int MANY = 500;

  @Test
  void aPortIsGivenOnceAndCanBeListenedOn() throws IOException {
    List<Integer> given = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      int port = Ports.free();
      given.add(port);
      try (ServerSocket socket = Ports.listen(port)) {
        assertThat(socket.getLocalPort()).isEqualTo(port);
      }
    }

    assertThat(given).doesNotHaveDuplicates().allMatch(port -> port < 22_000);
  }

  @Test
  void twoJvmsNeverGiveTheSamePort() throws IOException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvm.class.getName())
            .redirectError(Redirect.INHERIT)
            .start();
    try {
      List<Integer> theirs;
      try (Stream<String> lines = other.inputReader(StandardCharsets.US_ASCII).lines()) {
        theirs = lines.limit(MANY).map(Integer::valueOf).toList();
        assertThat(theirs).hasSize(MANY);
        assertThat(other.isAlive()).isTrue();

        List<Integer> ours = IntStream.range(0, MANY).mapToObj(i -> Ports.free()).toList();

        assertThat(ours).doesNotContainAnyElementsOf(theirs);
      }
    } finally {
      other.destroyForcibly();
    }
  }

  /** Prints ports, and lives until it is killed or its input ends. */
  static final class OtherJvm {
    private OtherJvm() {}

    public static void main(String[] arguments) throws IOException {
      for (int i = 0; i < MANY; i++) {
        System.out.println(Ports.free());
      }
      System.in.read();
    }
  }
}
