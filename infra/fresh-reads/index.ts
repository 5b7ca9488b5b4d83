// Fresh reads: how a gateway knows that the tables have everything that anyone was told.

export { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';
