// Matching: price-time books in columns. Knows orders, prices and queues; knows no balances.

export * from './books.ts';
export * from './levels.ts';
export * from './orders.ts';
