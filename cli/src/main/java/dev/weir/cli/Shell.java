package dev.weir.cli;

import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command has around it.
 *
 * @param environment the variables
 * @param out standard output for people, in what the terminal shows
 * @param data standard output for programs, in UTF-8
 * @param err standard error
 */
record Shell(Map<String, String> environment, PrintWriter out, PrintWriter data, PrintWriter err) {}
