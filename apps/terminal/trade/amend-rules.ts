// Amending an order in its row: the same rules as in the form, and the change to send.

import { compare, isDecimal, trimmed } from '../../decimals/index.ts';
import { type Market, type Problem, priceProblem, sizeProblem } from './order-draft.ts';

export interface Edit {
  readonly id: string;
  readonly price: string;
  readonly size: string;
}

export interface Amendable {
  readonly price: string | null;
  readonly size: string;
  readonly filled: string;
}

/** Returns undefined if the edit can be sent. Sizes include the filled part. */
export function amendProblem(
  { price, size }: Edit,
  { filled }: Amendable,
  market: Market,
): Problem | undefined {
  const ofPrice = priceProblem('price', price, market);
  if (ofPrice !== undefined) return ofPrice;
  if (!isDecimal(size)) return { field: 'amount', word: 'trade.needsAmount' };
  const ofSize = sizeProblem({ amount: size }, size, market);
  if (ofSize !== undefined) return ofSize;
  if (compare(size, filled) > 0) return undefined;
  const unit = market.pair_base.toUpperCase();
  return {
    field: 'amount',
    word: 'trade.moreThanFilled',
    values: { amount: trimmed(filled), unit },
  };
}

/** Returns only the changed fields; undefined if there are none. */
export function changeOf(
  { price, size }: Edit,
  order: Amendable,
): { price?: string; size?: string } | undefined {
  const isSame = (one: string, other: string | null) => other !== null && compare(one, other) === 0;
  const change = {
    ...(!isSame(price, order.price) && { price }),
    ...(!isSame(size, order.size) && { size }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
