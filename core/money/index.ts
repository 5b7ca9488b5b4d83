// Money: exact numbers and their units. Knows nothing of orders, accounts or messages.

export * from './decimals.ts';
export * from './fees.ts';
export * from './machine-words.ts';
export * from './notional.ts';
export * from './price-offsets.ts';
export * from './units.ts';
