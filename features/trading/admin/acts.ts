// Actions in this feature that can need approval. Votes find them by name.

import { directTradeAct } from './direct-trade.ts';
import { cancelOrderAct, placeOrderAct } from './orders.ts';

export const TRADING_ACTS = [directTradeAct, cancelOrderAct, placeOrderAct] as const;
