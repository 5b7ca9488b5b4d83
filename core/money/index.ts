// Money: exact numbers and their units. Knows nothing of orders, accounts or messages.

export * from './units.ts';
