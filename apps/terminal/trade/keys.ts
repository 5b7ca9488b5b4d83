// Keys of the trade screen. The key that cancels an order works only if the user has enabled it.
// While a field has the focus, only Escape and the palette work.

import type { Word } from '../../ui/index.ts';

export type KeyAct =
  | 'help'
  | 'palette'
  | 'markets'
  | 'buy'
  | 'sell'
  | 'limit'
  | 'market'
  | 'share25'
  | 'share50'
  | 'share75'
  | 'share100'
  | 'price'
  | 'book'
  | 'cancelLast';

export interface KeyRow {
  readonly act: KeyAct;
  readonly keys: string;
  readonly word: Word;
}

export const KEYS: readonly KeyRow[] = [
  { act: 'help', keys: '?', word: 'keys.help' },
  { act: 'palette', keys: 'Ctrl K', word: 'keys.palette' },
  { act: 'markets', keys: '/', word: 'keys.markets' },
  { act: 'buy', keys: 'B', word: 'keys.buy' },
  { act: 'sell', keys: 'S', word: 'keys.sell' },
  { act: 'limit', keys: 'L', word: 'keys.limit' },
  { act: 'market', keys: 'M', word: 'keys.market' },
  { act: 'share25', keys: '1', word: 'keys.share25' },
  { act: 'share50', keys: '2', word: 'keys.share50' },
  { act: 'share75', keys: '3', word: 'keys.share75' },
  { act: 'share100', keys: '4', word: 'keys.share100' },
  { act: 'price', keys: 'P', word: 'keys.price' },
  { act: 'book', keys: 'O', word: 'keys.book' },
  { act: 'cancelLast', keys: 'C', word: 'keys.cancelLast' },
];

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Returns whether a field or a dialog has the focus. */
  readonly isTyping: boolean;
}

export function actOf(
  { altKey, ctrlKey, isTyping, key, metaKey }: Pressed,
  { sendsByKey }: { sendsByKey: boolean },
): KeyAct | undefined {
  const letter = key.toUpperCase();
  if (ctrlKey || metaKey) return letter === 'K' && !altKey ? 'palette' : undefined;
  if (altKey || isTyping) return undefined;
  const act = KEYS.find(({ keys }) => keys === letter)?.act;
  return act === 'cancelLast' && !sendsByKey ? undefined : act;
}
