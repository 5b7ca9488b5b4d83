// The requests of the contract test for every route: its valid sample, the sample without each
// required field, and its own cases. docs/api/contract.md is this table.

import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import type { Sample } from './route-samples.ts';

export interface ContractCase {
  readonly what: string;
  /** The sample, changed. */
  change(sample: Sample): Sample;
  readonly status: number;
  /** Text that the response must contain. */
  readonly says?: string;
}

const same = (sample: Sample) => sample;
const query = (more: Sample['query']) => (sample: Sample) => ({
  ...sample,
  query: { ...sample.query, ...more },
});
const body = (more: Sample['body']) => (sample: Sample) => ({
  ...sample,
  body: { ...sample.body, ...more },
});

function refused(what: string, change: ContractCase['change'], says?: string): ContractCase {
  return { what, change, status: 400, ...(says !== undefined && { says }) };
}

const noSuchSymbol = refused('no such symbol', query({ symbol: 'xyz-usdt' }), 'Invalid symbol');
const noSuchCoin = refused('no such coin', query({ currency: 'xyz' }), 'Invalid coin');
const noSuchOrder: ContractCase = {
  what: 'no such order',
  status: 404,
  says: 'Order not found',
  change: (sample) => {
    const order_id = '00000000-ffff-81ff-8000-000000000000';
    return sample.body === undefined ? query({ order_id })(sample) : body({ order_id })(sample);
  },
};

const list: readonly ContractCase[] = [
  { what: 'a page', change: query({ limit: 1, page: 2 }), status: 200, says: '"count"' },
  { what: 'oldest first', change: query({ order: 'asc', order_by: 'created_at' }), status: 200 },
  {
    what: 'between dates',
    change: query({ start_date: '2020-01-01T00:00:00.000Z', end_date: '2030-01-01' }),
    status: 200,
  },
  { what: 'from the year 0', change: query({ start_date: '0000-01-01' }), status: 200 },
  { what: 'a date with a blank', change: query({ end_date: '2030-01-01 10:00:00' }), status: 200 },
  { what: 'all rows', change: query({ format: 'all' }), status: 200, says: '"data"' },
  { what: 'the last page', change: query({ limit: 100, page: 1_000 }), status: 200 },
  refused('a page beyond it', query({ limit: 100, page: 1_001 }), 'Too many rows'),
  refused('ordered by nothing known', query({ order_by: 'password' })),
  refused('a limit that is no number', query({ limit: 'many' }), 'limit'),
  refused('a date that is none', query({ start_date: 'yesterday' }), 'start_date'),
];
const unkept = refused('a text that no table can keep', query({ address: 'a\0b' }), 'address');
const file: ContractCase = {
  what: 'a file',
  status: 202,
  change: () => ({ query: { format: 'csv' } }),
};

const prices = [
  refused('a size that is no number', body({ size: 'much' }), 'not a number'),
  refused('a price that is no multiple of its tick', body({ price: 50_000.001 })),
  refused('a price below the lowest', body({ price: 0.01 })),
  refused('a size below the smallest', body({ size: 0.00001 })),
];

const own: Partial<Record<RouteName, readonly ContractCase[]>> = {
  getTicker: [noSuchSymbol],
  getOrderBook: [noSuchSymbol],
  getTrades: [noSuchSymbol, { what: 'every market', change: () => ({}), status: 200 }],
  getTradesHistory: [noSuchSymbol],
  getChart: [noSuchSymbol, refused('no such resolution', query({ resolution: '7' }), 'resolution')],
  getCharts: [refused('no such resolution', query({ resolution: '7' }), 'resolution')],
  getMiniCharts: [refused('no such asset', query({ assets: 'xyz' }), 'Invalid asset')],
  getOraclePrices: [
    refused('no such asset', query({ assets: 'xyz' }), 'Invalid asset'),
    refused('an amount of nothing', query({ amount: 0 })),
  ],
  getUdfHistory: [noSuchSymbol],
  getUdfSymbol: [noSuchSymbol],
  getUserTrades: [...list, noSuchSymbol],
  getOrders: [
    ...list,
    file,
    noSuchSymbol,
    { what: 'closed ones', change: query({ open: false }), status: 200 },
    refused('a side that is none', query({ side: 'up' }), 'side'),
  ],
  getDeposits: [...list, file, noSuchCoin, unkept],
  getWithdrawals: [...list, file, noSuchCoin, unkept],
  getDepositsOfUsers: [...list, file, unkept],
  getWithdrawalsOfUsers: [...list, file, unkept],
  getWithdrawalFee: [
    noSuchCoin,
    { what: 'under its other name', change: () => ({ query: { symbol: 'btc' } }), status: 200 },
  ],
  getWithdrawalMax: [noSuchCoin, refused('no such network', query({ network: 'xyz' }))],
  createWithdrawal: [
    refused('no such coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('no such network', body({ network: 'xyz' })),
    refused('an amount of nothing', body({ amount: 0 })),
    refused('an amount below the smallest', body({ amount: '0.0001' })),
    refused('an amount that nobody has', body({ amount: 99 })),
    refused('an address with blanks', body({ address: 'not an address' })),
  ],
  cancelWithdrawal: [
    {
      what: 'no such withdrawal',
      change: query({ id: 999_999 }),
      status: 404,
      says: 'Withdrawal not found',
    },
  ],
  getOrder: [noSuchOrder, refused('an id of no order', query({ order_id: '1' }), 'Invalid order')],
  cancelOrder: [noSuchOrder],
  amendOrder: [noSuchOrder, refused('nothing to change', (sample) => without(sample, 'size'))],
  createOrder: [
    ...prices,
    refused('no such symbol', body({ symbol: 'xyz-usdt' }), 'Invalid symbol'),
    refused('more than there is', body({ size: 900, price: 70_000 }), 'Insufficient balance'),
    refused('misspelt', body({ clientOrderId: 'x' }), 'client_order_id'),
    refused(
      'post only and market',
      (sample) => body({ type: 'market', meta: { post_only: true } })(without(sample, 'price')),
      'Error 1001',
    ),
    {
      what: 'size and price as texts',
      change: body({ size: '0.0010', price: '50000.00' }),
      status: 200,
    },
  ],
  createOrders: [refused('none at all', body({ orders: [] }))],
  cancelOrders: [
    {
      what: 'one that is not there among others',
      change: query({ order_ids: '00000000-ffff-81ff-8000-000000000000' }),
      status: 200,
      says: 'Order not found',
    },
  ],
  cancelOrdersOfMarket: [noSuchSymbol],
  setDeadManSwitch: [refused('less than nothing', body({ timeout: -1 }), 'timeout')],
  getQuote: [
    refused('a coin for itself', query({ spending_currency: 'btc' })),
    refused('no such coin', query({ spending_currency: 'xyz' })),
    refused('no amount', (sample) => without(sample, 'receiving_amount')),
  ],
  executeQuote: [refused('a token that is none', body({ token: 'nothing' }))],
  creditDeposit: [
    refused('no such user', body({ user_id: 999_999 }), 'User not found'),
    refused('an amount of nothing', body({ amount: 0 })),
    refused('no such coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('a text that no table can keep', body({ description: 'a\0b' }), 'description'),
    refused('half a character', body({ transaction_id: '\ud800' }), 'transaction_id'),
  ],
  reviewDeposit: [
    {
      what: 'no such deposit',
      change: body({ transaction_id: 'none' }),
      status: 404,
      says: 'Deposit not found',
    },
    refused('two decisions at once', body({ rejected: true })),
  ],
  reviewWithdrawal: [
    {
      what: 'no such withdrawal',
      change: body({ transaction_id: 'none' }),
      status: 404,
      says: 'Withdrawal not found',
    },
    refused('two decisions at once', body({ dismissed: true })),
  ],
};

/** Every case of a route; the first is the sample as it should be. */
export function contractCases(name: RouteName): readonly ContractCase[] {
  const route: Route = routes[name];
  const required = [
    ...((route.query.required as string[] | undefined) ?? []),
    ...((route.body?.required as string[] | undefined) ?? []),
  ];
  // A field with a default value cannot be missing.
  const missing = required
    .filter((field) => !('default' in (route.query.properties[field] ?? {})))
    .map((field) => refused(`without ${field}`, (sample) => without(sample, field), field));
  return [
    { what: 'as it should be', change: same, status: route.status },
    ...missing,
    ...(own[name] ?? []),
  ];
}

function without(sample: Sample, field: string): Sample {
  const left = (values: object | undefined) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => name !== field));
  return {
    ...(sample.query !== undefined && { query: left(sample.query) }),
    ...(sample.body !== undefined && { body: left(sample.body) }),
  };
}
