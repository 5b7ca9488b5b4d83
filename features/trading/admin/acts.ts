// The actions of this feature that can wait for approval: votes find them by their name.

import { directTradeAct } from './direct-trade.ts';
import { cancelOrderAct, placeOrderAct } from './orders.ts';

export const TRADING_ACTS = [directTradeAct, cancelOrderAct, placeOrderAct] as const;
