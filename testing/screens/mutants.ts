// Deliberate faults of the apps: one wrong change each, and the check or test that must catch it.
// A table test proves that each fits its file exactly once.

import type { Fault } from '../drills/mutations/fault.ts';

export interface Mutant extends Fault {
  /** A part of the name of a check, or the file of a table test. */
  readonly caughtBy: string;
}

const TRADE = 'apps/terminal/trade';
const LOSS = 'loss: the wire is cut';
const LIVE = 'live: book and tape';
const PLACE = 'journey: place an order and cancel it';
const UNKNOWN = 'journey: the answer to an order is lost';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the book drops every change after the first picture',
    file: `${TRADE}/market-feed.ts`,
    find: 'onBook: (next) => book.set(next)',
    replace: 'onBook: (next) => book.latest === undefined && book.set(next)',
    caughtBy: LIVE,
  },
  {
    name: 'the tape drops new trades',
    file: `${TRADE}/market-feed.ts`,
    find: 'trades.set([...data, ...known].slice(0, TRADES_KEPT));',
    replace: "if (action === 'partial') trades.set([...data, ...known].slice(0, TRADES_KEPT));",
    caughtBy: LIVE,
  },
  {
    name: 'bids and asks of the book are swapped',
    file: `${TRADE}/book-view.ts`,
    find: 'return { bids: finish(bids, own.bids), asks: finish(asks, own.asks) };',
    replace: 'return { bids: finish(asks, own.bids), asks: finish(bids, own.asks) };',
    caughtBy: LIVE,
  },
  {
    name: 'the form sends the other side',
    file: `${TRADE}/order-draft.ts`,
    find: '    symbol,\n    side,\n',
    replace: "    symbol,\n    side: side === 'buy' ? 'sell' : 'buy',\n",
    caughtBy: PLACE,
  },
  {
    name: 'an order is sent without the confirmation',
    file: 'apps/ui/preferences.ts',
    find: 'confirms: [true, false]',
    replace: 'confirms: [false, true]',
    caughtBy: PLACE,
  },
  {
    name: 'a closed order stays in the list of open orders',
    file: 'apps/terminal/account-state.ts',
    find: 'open: state.open.filter(({ id }) => id !== order.id) }',
    replace: 'open: state.open }',
    caughtBy: PLACE,
  },
  {
    name: 'the total of a balance is what is available',
    file: `${TRADE}/account-panel.tsx`,
    find: 'cell: ({ total }) => amount(total)',
    replace: 'cell: ({ available }) => amount(available)',
    caughtBy: LOSS,
  },
  {
    name: 'the stale state is cut',
    file: 'apps/terminal/stale.ts',
    find: "(firstMs === undefined ? undefined : { kind: 'stale', sinceMs: firstMs })",
    replace: 'undefined',
    caughtBy: LOSS,
  },
  {
    name: 'stale data are not dimmed',
    file: 'apps/ui/panel.tsx',
    find: "state.kind === 'stale' ? 'opacity-95 grayscale' : ''",
    replace: "''",
    caughtBy: LOSS,
  },
  {
    name: 'the connection light is always live',
    file: 'apps/terminal/connection-light.tsx',
    find: "waiting: 'live.lost'",
    replace: "waiting: 'live.live'",
    caughtBy: LOSS,
  },
  {
    name: 'fills of the stream are lost',
    file: 'apps/terminal/account-state.ts',
    find: 'fills: [...message.data, ...fills].slice(0, KEPT)',
    replace: 'fills: [...(fills.length > 0 ? [] : message.data), ...fills].slice(0, KEPT)',
    caughtBy: LOSS,
  },
  {
    name: 'an order with a lost answer is sent again under another id',
    file: `${TRADE}/use-order-acts.ts`,
    find: '        add({ clientOrderId: order.client_order_id, words });\n',
    replace:
      '        await exchange\n' +
      '          .createOrder({ ...order, client_order_id: crypto.randomUUID() })\n' +
      '          .catch(() => {});\n' +
      '        add({ clientOrderId: order.client_order_id, words });\n',
    caughtBy: UNKNOWN,
  },
  {
    name: 'an order with a lost answer is forgotten',
    file: `${TRADE}/use-order-acts.ts`,
    find: '        add({ clientOrderId: order.client_order_id, words });\n',
    replace: '        void add;\n',
    caughtBy: UNKNOWN,
  },
  {
    name: 'fields have no label',
    file: 'apps/ui/field.tsx',
    find: '<label htmlFor={id} className',
    replace: '<label className',
    caughtBy: 'axe on every screen',
  },
  {
    name: 'the page is never narrower than 500 pixels',
    file: 'apps/terminal/shell.tsx',
    find: '<div className="flex min-h-dvh flex-col">',
    replace: '<div className="flex min-h-dvh min-w-125 flex-col">',
    caughtBy: 'no sideways scrolling',
  },
  {
    name: 'filled buttons have no edge in forced colours',
    file: 'apps/ui/button.tsx',
    find: ' forced-colors:border',
    replace: '',
    caughtBy: 'forced colours keep edges',
  },
  {
    name: 'the focus has no outline',
    file: 'apps/ui/tokens.css',
    find: 'outline: 3px double CanvasText;',
    replace: 'outline: none;',
    caughtBy: 'forced colours keep edges',
  },
  {
    name: 'numbers have the digits of the language',
    file: 'apps/ui/preferences.ts',
    find: "digits: ['latn', 'native']",
    replace: "digits: ['native', 'latn']",
    caughtBy: 'right to left: numbers',
  },
  {
    name: 'a style names a side',
    file: 'apps/ui/tokens.css',
    find: '    margin: auto;\n',
    replace: '    margin: auto;\n    margin-left: 1px;\n',
    caughtBy: 'no left or right in styles',
  },
  {
    name: 'the chart is in the first files of the page',
    file: 'apps/terminal/main.tsx',
    find: "import { router } from './routes.tsx';\n",
    replace: "import { router } from './routes.tsx';\nimport 'klinecharts';\nimport 'uplot';\n",
    caughtBy: 'weight',
  },
  {
    name: 'quiet text has too little contrast',
    file: 'apps/ui/tokens.css',
    find: '--quiet: #9aa6b2;',
    replace: '--quiet: #5c6670;',
    caughtBy: 'apps/ui/tokens.test.ts',
  },
  {
    name: 'a fee is rounded down',
    file: `${TRADE}/order-draft.ts`,
    find: "withScale(exact, scale, 'up')",
    replace: 'withScale(exact, scale)',
    caughtBy: 'apps/terminal/trade/trade-logic.test.ts',
  },
  {
    name: 'a difference has the wrong sign',
    file: 'apps/decimals/decimal.ts',
    find: 'units: a - b, scale',
    replace: 'units: b - a, scale',
    caughtBy: 'apps/decimals/decimal.test.ts',
  },
  {
    name: 'a frame publishes only some of the changed cells',
    file: 'apps/ui/live-store.ts',
    find: 'this.#shown = this.#latest;\n',
    replace: '',
    caughtBy: 'apps/ui/live-store.test.ts',
  },
];

/** A table test catches it, without a browser. */
export function isTest({ caughtBy }: Pick<Mutant, 'caughtBy'>): boolean {
  return caughtBy.endsWith('.test.ts');
}
