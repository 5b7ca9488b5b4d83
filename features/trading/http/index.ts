// Parts of the trading handlers that other features use.

export { tradeDirectly } from './direct-trade.ts';
export { marketOf, orderText } from './order-answers.ts';
export { cancelOrderOfUser, placeOrderOfUser } from './orders-of-users.ts';
