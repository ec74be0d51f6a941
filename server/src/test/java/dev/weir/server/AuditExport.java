package dev.weir.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** The audit of decisions as the admin API exports it. */
final class AuditExport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditExport() {}

  /** The path of each decision. */
  static List<String> paths(Caller caller) {
    List<String> paths = new ArrayList<>();
    caller
        .get("/v1/admin/audit?format=jsonl")
        .body()
        .lines()
        .forEach(line -> paths.add(path(line)));
    return paths;
  }

  private static String path(String line) {
    try {
      return JSON.readTree(line).get("path").asText();
    } catch (JsonProcessingException wrong) {
      throw new AssertionError("no JSON: " + line, wrong);
    }
  }
}
