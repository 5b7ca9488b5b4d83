// Text for an order with its numbers: on the button, in the confirmation, and in the messages
// afterwards.

import type { Order } from '../../../client/index.ts';
import type { Look, Word } from '../../ui/index.ts';
import type { Draft, Market, Reading } from './order-draft.ts';

const ACTS: Readonly<Record<Draft['side'], Readonly<Record<Draft['kind'], Word>>>> = {
  buy: {
    limit: 'trade.actBuyLimit',
    market: 'trade.actBuyMarket',
    stop: 'trade.actBuyStop',
    'stop-limit': 'trade.actBuyStopLimit',
    'take-profit': 'trade.actBuyStop',
    'take-profit-limit': 'trade.actBuyStopLimit',
  },
  sell: {
    limit: 'trade.actSellLimit',
    market: 'trade.actSellMarket',
    stop: 'trade.actSellStop',
    'stop-limit': 'trade.actSellStopLimit',
    'take-profit': 'trade.actSellStop',
    'take-profit-limit': 'trade.actSellStopLimit',
  },
};

/** Returns the kind of an existing order. Only stops and take-profits have a stop price. */
export function kindOf({
  stop,
  trigger,
  type,
}: {
  readonly stop: string | null;
  readonly trigger?: Order['trigger'];
  readonly type: 'limit' | 'market';
}): Draft['kind'] {
  if (stop === null) return type;
  const kind = trigger === 'take_profit' ? 'take-profit' : 'stop';
  return type === 'limit' ? `${kind}-limit` : kind;
}

export function actWords(
  draft: Draft,
  { size, total }: Reading,
  market: Market,
  { number, t }: Pick<Look, 'number' | 't'>,
): string {
  const base = market.pair_base.toUpperCase();
  if (total === undefined || size === '0') {
    return t(draft.side === 'buy' ? 'trade.buyCoin' : 'trade.sellCoin', { coin: base });
  }
  return t(ACTS[draft.side][draft.kind], {
    size: `${number(size)} ${base}`,
    total: `${number(total)} ${market.pair_2.toUpperCase()}`,
    stop: `${draft.stop === '' ? '' : number(draft.stop)} ${market.pair_2.toUpperCase()}`,
  });
}
