// Fresh reads: how a gateway knows that the tables have everything that anyone was told.

export * from './fresh-reads.ts';
