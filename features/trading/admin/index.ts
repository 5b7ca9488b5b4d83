// Actions of operators in trading.

export { type DirectTradePayload, directTradeAct } from './direct-trade.ts';
export {
  type CancelOrderPayload,
  cancelOrderAct,
  type PlaceOrderPayload,
  placeOrderAct,
} from './orders.ts';
