package dev.weir.control.outbox;

import java.util.Optional;

/**
 * How a delivery goes, about now.
 *
 * @param delivered how many records it has brought into the database
 * @param setAside how many it could never have, and left out
 * @param isFailing whether the last attempt failed; another is made soon
 * @param lastFailure why an attempt failed, the last time that one did
 */
public record DeliveryStatistics(
    long delivered, long setAside, boolean isFailing, Optional<String> lastFailure) {}
