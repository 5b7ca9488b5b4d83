// Text for an order with its numbers: on the button, in the confirmation, and in the messages
// afterwards.

import type { Look, Word } from '../../ui/index.ts';
import type { Draft, Market, Reading } from './order-draft.ts';

const ACTS: Readonly<Record<Draft['side'], Readonly<Record<Draft['kind'], Word>>>> = {
  buy: {
    limit: 'trade.actBuyLimit',
    market: 'trade.actBuyMarket',
    stop: 'trade.actBuyStop',
    'stop-limit': 'trade.actBuyStopLimit',
  },
  sell: {
    limit: 'trade.actSellLimit',
    market: 'trade.actSellMarket',
    stop: 'trade.actSellStop',
    'stop-limit': 'trade.actSellStopLimit',
  },
};

/** Returns the kind of an existing order. Only stops have a stop price. */
export function kindOf({
  stop,
  type,
}: {
  readonly stop: string | null;
  readonly type: 'limit' | 'market';
}): Draft['kind'] {
  if (stop === null) return type;
  return type === 'limit' ? 'stop-limit' : 'stop';
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
