package dev.weir.conformance;

import java.util.Optional;

/**
 * Makes a server read its configuration files. Not needed to run a suite: without one, a suite asks
 * the server until new files hold, and waits a while where they must not. A server in the same
 * process can spare it the waiting, and have its messages compared.
 */
@FunctionalInterface
public interface Reloader {

  /** Reads all files; returns what is wrong with them if the server keeps what it has. */
  Optional<String> reload();
}
