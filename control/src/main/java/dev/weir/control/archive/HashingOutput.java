package dev.weir.control.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Takes the fingerprint of what passes through. Does not close what is behind it. */
final class HashingOutput extends OutputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final MessageDigest sha256 = RowDigest.sha256();
  private long bytes;

  HashingOutput(OutputStream out) {
    this.out = out;
  }

  /** Of all that a stream has. */
  static Fingerprint fingerprint(InputStream in, Stop stop) throws IOException {
    HashingOutput all = new HashingOutput(OutputStream.nullOutputStream());
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      stop.check(0);
      all.write(buffer, 0, read);
    }
    return all.fingerprint();
  }

  @Override
  public void write(int value) throws IOException {
    out.write(value);
    sha256.update((byte) value);
    bytes++;
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    out.write(buffer, offset, length);
    sha256.update(buffer, offset, length);
    bytes += length;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /** Of what has passed; only once. */
  Fingerprint fingerprint() {
    return new Fingerprint(bytes, HexFormat.of().formatHex(sha256.digest()));
  }
}
