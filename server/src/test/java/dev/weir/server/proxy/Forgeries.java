package dev.weir.server.proxy;

import java.util.ArrayList;
import java.util.List;

/** Header fields with which a client says something that only a proxy may say. */
final class Forgeries {
  /** Those by which proxies tell Weir what is asked and by whom. */
  static final List<String> NAMES =
      List.of(
          "X-Forwarded-For",
          "X-Forwarded-Uri",
          "X-Forwarded-Method",
          "X-Original-URI",
          "X-Original-Method");

  private Forgeries() {}

  /** To be somebody else, among others a certain victim. */
  static List<String[]> ofAddresses(String victim) {
    List<String[]> all = new ArrayList<>();
    for (String address :
        List.of(victim, "203.0.113.7", "127.0.0.1", Weir.FRONT, "2001:db8::1", "", "unknown")) {
      all.add(new String[] {"X-Forwarded-For: " + address});
      all.add(new String[] {"x-forwarded-for: 203.0.113.8, " + address});
      all.add(new String[] {"X-Forwarded-For: " + address, "X-Forwarded-For: 203.0.113.9"});
      all.add(new String[] {"X_Forwarded_For: " + address});
      all.add(new String[] {"X-Real-IP: " + address});
      all.add(new String[] {"Forwarded: for=" + address});
      all.add(new String[] {"Connection: close, X-Forwarded-For", "X-Forwarded-For: " + address});
      all.add(
          new String[] {"Connection: close, X-Forwarded-For, X-Real-IP", "X-Real-IP: " + address});
    }
    return all;
  }

  /** To have asked for something else. */
  static List<String[]> ofRequests(String path, String method) {
    String connection = "Connection: close, " + String.join(", ", NAMES);
    List<String[]> all = new ArrayList<>();
    for (String family : List.of("X-Original-", "X-Forwarded-", "x-original-", "x-forwarded-")) {
      all.add(new String[] {family + "Uri: " + path, family + "Method: " + method});
      all.add(new String[] {family + "URI: " + path});
      all.add(new String[] {family + "Method: " + method});
      all.add(new String[] {connection, family + "Uri: " + path, family + "Method: " + method});
    }
    all.add(
        new String[] {
          "X-Original-URI: " + path,
          "X-Forwarded-Uri: " + path,
          "X-Original-Method: " + method,
          "X-Forwarded-Method: " + method
        });
    all.add(new String[] {"X-Original-URI: /elsewhere", "X-Forwarded-Uri: " + path});
    all.add(new String[] {"X-Original-URL: " + path, "X-Rewrite-URL: " + path});
    all.add(new String[] {"X-HTTP-Method-Override: " + method});
    return all;
  }
}
