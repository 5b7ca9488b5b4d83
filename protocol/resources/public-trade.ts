// A trade as everybody sees it: nobody is named. Public.

import { type Static, Type } from 'typebox';
import { SIDES } from '../../core/messages/index.ts';
import { Decimal, oneOf, Timestamp } from '../wire-types.ts';

const trade = {
  size: Decimal,
  price: Decimal,
  side: oneOf(SIDES, 'What the taker did.'),
  timestamp: Timestamp,
};

export const PublicTrade = Type.Object(trade, { title: 'PublicTrade' });
export type PublicTrade = Static<typeof PublicTrade>;

/** In lists over several markets each says its own. */
export const PublicTradeOfMarket = Type.Object(
  { ...trade, symbol: Type.String() },
  { title: 'PublicTradeOfMarket' },
);
export type PublicTradeOfMarket = Static<typeof PublicTradeOfMarket>;
