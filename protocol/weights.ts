// What calls cost of their caller's budget, by the work that they make. One place, so that the
// proportions can be seen: a page of a list is five orders, a file is twenty.

/** Answered from what the gateway has in memory, or one command to the engine. */
export const WEIGHT_LIGHT = 1;
/** Some rows that an index leads to, or a walk through a book. */
export const WEIGHT_ROW = 2;
/** A page of a list, or the candles of one market. */
export const WEIGHT_LIST = 5;
/** The candles of every market; a withdrawal, with its limits and its locks. */
export const WEIGHT_HEAVY = 10;
/** `format=csv` and `format=all`, instead of the route's own weight. */
export const WEIGHT_FILE = 20;

/** A batch costs one for each of its orders, and is charged when they have been counted. */
export const BATCH_ORDERS_MAX = 50;
