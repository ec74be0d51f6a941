/**
 * What is configured in the database: rules, tiers, endpoints, blocks and exemptions.
 *
 * <p>{@link dev.weir.control.configuration.ConfigurationStore} lists and changes them, {@link
 * dev.weir.control.configuration.ConfigurationWatch} keeps an instance up to date. Whatever is
 * stored is turned into the text of {@code weir.toml} and read as the file is, so that there is one
 * validation. {@link dev.weir.control.configuration.StoredConfiguration} is a picture of it all,
 * {@link dev.weir.control.configuration.MergedPolicy} what comes of that and the file.
 */
@NullMarked
package dev.weir.control.configuration;

import org.jspecify.annotations.NullMarked;
