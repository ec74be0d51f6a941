package dev.weir.testkit.redis;

import java.nio.charset.StandardCharsets;

/** Replies as they go over the wire (RESP2), for the script of a {@link FakeRedis}. */
public final class RespReply {
  private RespReply() {}

  /** No reply at all; the connection stays open. */
  public static final String NONE = "";

  /** {@code OK}. */
  public static final String OK = simple("OK");

  /** The reply to a missing key. */
  public static final String NULL = "$-1\r\n";

  /** A simple string, such as {@code PONG}. */
  public static String simple(String text) {
    return "+" + text + "\r\n";
  }

  /** An error, such as {@code LOADING Redis is loading the dataset in memory}. */
  public static String error(String message) {
    return "-" + message + "\r\n";
  }

  /** An integer. */
  public static String number(long value) {
    return ":" + value + "\r\n";
  }

  /** A string of any characters. */
  public static String bulk(String text) {
    return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
  }

  /** A list of replies. */
  public static String list(String... replies) {
    return "*" + replies.length + "\r\n" + String.join("", replies);
  }
}
