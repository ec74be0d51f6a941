package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that a user names to be sent. */
final class InputFile {
  /** What a server takes at most. */
  static final int MOST_BYTES = 16 << 20;

  private InputFile() {}

  /** All of a file, which need not be a regular one, and must be UTF-8. */
  static String read(Path file) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + " is a folder; name a file in it");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new InputException(file + " must be at most 16 MiB large");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException invalid) {
      throw new InputException(file + " must be valid UTF-8");
    } catch (NoSuchFileException missing) {
      throw new InputException(file + " cannot be read: there is no such file");
    } catch (AccessDeniedException denied) {
      throw new InputException(file + " cannot be read: permission denied");
    } catch (IOException unreadable) {
      throw new InputException(file + " cannot be read: " + unreadable.getMessage());
    }
  }
}
