// The weights of calls, by the work that they cause. One place, so that the proportions are
// visible: a page of a list costs five orders, a file twenty.

/** Answered from the gateway's memory, or by one command to the engine. */
export const WEIGHT_LIGHT = 1;
/** A few indexed rows, or a walk through a book. */
export const WEIGHT_ROW = 2;
/** A page of a list, or the candles of one market. */
export const WEIGHT_LIST = 5;
/** The candles of every market; a withdrawal, with its limits and its locks. */
export const WEIGHT_HEAVY = 10;
/** `format=csv` and `format=all`, instead of the route's own weight. */
export const WEIGHT_FILE = 20;

/** A batch costs one for each of its orders, and is charged when they have been counted. */
export const BATCH_ORDERS_MAX = 50;
