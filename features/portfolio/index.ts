// Portfolio: the balances of each day, profit and loss, and the traded volume of a user.

export { totalValue } from './total-value.ts';
