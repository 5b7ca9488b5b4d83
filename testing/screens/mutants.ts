// Deliberate app faults: one wrong change each, and the check or test that must catch it.
// A table test proves that each matches its file exactly once.

import type { Fault } from '../drills/mutations/fault.ts';

export type Mutant = Fault & {
  /** Part of a check's name, or the file of a table test. */
  readonly caughtBy: string;
};

const TRADE = 'apps/terminal/trade';
const LOSS = 'loss: the wire is cut';
const LIVE = 'live: book and trades';
const PLACE = 'journey: place an order and cancel it';
const UNKNOWN = 'journey: the response to an order is lost';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the book drops every change after the first snapshot',
    file: `${TRADE}/market-feed.ts`,
    in: 'openMarketFeed.books',
    replace: ['set', 'latest === undefined && book.set'],
    caughtBy: LIVE,
  },
  {
    name: 'the trade list drops new trades',
    file: `${TRADE}/market-feed.ts`,
    in: 'openMarketFeed',
    replace: ['trades.set', "if (action === 'partial') trades.set"],
    caughtBy: LIVE,
  },
  {
    name: 'bids and asks of the book are swapped',
    file: `${TRADE}/book-view.ts`,
    in: 'bookRows',
    returns: '{ bids: finish(asks, own.bids), asks: finish(bids, own.asks) }',
    caughtBy: LIVE,
  },
  {
    name: 'the form sends the other side',
    file: `${TRADE}/order-draft.ts`,
    in: 'orderOf',
    replace: ['side, type', "side: side === 'buy' ? 'sell' : 'buy', type"],
    caughtBy: PLACE,
  },
  {
    name: 'an order is sent without the confirmation',
    file: 'apps/ui/preferences.ts',
    in: 'CHOICES',
    replace: ['true, false', 'false, true'],
    caughtBy: PLACE,
  },
  {
    name: 'a closed order stays in the list of open orders',
    file: 'apps/terminal/account-state.ts',
    in: 'applyOrder',
    replace: ['open.filter(({ id }) => id !== order.id)', 'open'],
    caughtBy: PLACE,
  },
  {
    name: 'a balance shows available as its total',
    file: `${TRADE}/account-panel.tsx`,
    in: 'Balances',
    replace: ['({ total }) => amount(total)', '({ available }) => amount(available)'],
    caughtBy: LOSS,
  },
  {
    name: 'the stale state is never shown',
    file: 'apps/terminal/stale.ts',
    in: 'useStale',
    returns: 'useMemo(() => undefined, [firstMs])',
    caughtBy: LOSS,
  },
  {
    name: 'stale data is not dimmed',
    file: 'apps/ui/panel.tsx',
    in: 'Panel',
    remove: "state.kind === 'stale' ? 'opacity-95 grayscale' :",
    caughtBy: LOSS,
  },
  {
    name: 'the connection indicator is always live',
    file: 'apps/terminal/connection-light.tsx',
    in: 'WORDS.waiting',
    replace: ['lost', 'live'],
    caughtBy: LOSS,
  },
  {
    name: 'fills from the stream are lost',
    file: 'apps/terminal/account-state.ts',
    in: 'applyMessage',
    replace: ['message.data,', '(fills.length > 0 ? [] : message.data),'],
    caughtBy: LOSS,
  },
  {
    name: 'an order with a lost response is sent again under another ID',
    file: `${TRADE}/use-order-acts.ts`,
    in: 'useOrderActs.send',
    replace: [
      'return false',
      `return false;
      await exchange
        .createOrder({ ...order, client_order_id: crypto.randomUUID() })
        .catch(() => {})`,
    ],
    caughtBy: UNKNOWN,
  },
  {
    name: 'an order with a lost response is dropped',
    file: `${TRADE}/use-order-acts.ts`,
    in: 'useOrderActs',
    replace: ['add({ clientOrderId: order.client_order_id, words })', 'void add'],
    caughtBy: UNKNOWN,
  },
  {
    name: 'fields have no label',
    file: 'apps/ui/field.tsx',
    in: 'Field',
    remove: 'htmlFor={id}',
    caughtBy: 'axe on every screen',
  },
  {
    name: 'the page is never narrower than 500 pixels',
    file: 'apps/terminal/shell.tsx',
    in: 'Shell',
    replace: ['flex min-h-dvh', 'flex min-h-dvh min-w-125'],
    caughtBy: 'no sideways scrolling',
  },
  {
    name: 'filled buttons have no edge in forced colors',
    file: 'apps/ui/button.tsx',
    in: 'Button',
    remove: 'forced-colors:border',
    caughtBy: 'forced colors keep edges',
  },
  {
    name: 'the focus has no outline',
    file: 'apps/ui/tokens.css',
    in: '*',
    replace: ['3px double CanvasText', 'none'],
    caughtBy: 'forced colors keep edges',
  },
  {
    name: 'numbers use localized digits',
    file: 'apps/ui/preferences.ts',
    in: 'CHOICES.digits',
    value: "['native', 'latn']",
    caughtBy: 'right to left: numbers',
  },
  {
    name: 'a style names left or right',
    file: 'apps/ui/tokens.css',
    in: '*',
    replace: ['auto', 'auto; margin-left: 1px'],
    caughtBy: 'no left or right in styles',
  },
  {
    name: 'the chart is part of the entry files',
    file: 'apps/terminal/main.tsx',
    in: '*',
    replace: ['{ SessionProvider }', "'klinecharts'; import 'uplot'; import { SessionProvider }"],
    caughtBy: 'weight',
  },
  {
    name: 'muted text has too little contrast',
    file: 'apps/ui/tokens.css',
    in: '*',
    replace: ['#9aa6b2', '#5c6670'],
    caughtBy: 'apps/ui/tokens.test.ts',
  },
  {
    name: 'a fee is rounded down',
    file: `${TRADE}/order-draft.ts`,
    in: 'feeOf',
    remove: ", 'up'",
    caughtBy: 'apps/terminal/trade/trade-logic.test.ts',
  },
  {
    name: 'a difference has the wrong sign',
    file: 'apps/decimals/decimal.ts',
    in: 'subtract.units',
    value: 'b - a',
    caughtBy: 'apps/decimals/decimal.test.ts',
  },
  {
    name: 'a frame publishes only some of the changed cells',
    file: 'apps/ui/live-store.ts',
    in: 'Cell.publish',
    drop: '= this',
    caughtBy: 'apps/ui/live-store.test.ts',
  },
];

/** Returns true if a table test catches the mutant, without a browser. */
export function isTest({ caughtBy }: Pick<Mutant, 'caughtBy'>): boolean {
  return caughtBy.endsWith('.test.ts');
}
