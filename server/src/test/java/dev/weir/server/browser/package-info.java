/**
 * The dashboard in a real browser: Chromium, driven from here, on a service of its own.
 *
 * <p>Start with {@link dev.weir.server.browser.DashboardContext}, which all of these tests have in
 * common. Where there is no Chromium they are skipped.
 */
@NullMarked
package dev.weir.server.browser;

import org.jspecify.annotations.NullMarked;
