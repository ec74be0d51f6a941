package dev.weir.backtest.suggest;

/**
 * A request that some rungs of a window are to be put to.
 *
 * @param client whose request it is
 * @param sample where refusals are added up
 * @param from the first rung
 * @param to the rung behind the last
 */
record Trial(
    SampledClient client, EndpointSample sample, long atMicros, long cost, int from, int to) {}
