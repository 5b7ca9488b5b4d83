// Portfolio: a user's daily balances, profit and loss, and traded volume.

export { totalValue } from './total-value.ts';
