// An order that is amended in its row: the same rules as in the form, and the change that is sent.

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

/** Undefined if the edit may be sent. Sizes include the part that has filled. */
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

/** Only the fields that differ; undefined if none does. */
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
