// Checks for the endpoints of one user.

import type { Call } from '../interface.ts';
import {
  both,
  type Checks,
  filterCheck,
  flagCheck,
  listChecks,
  requiredCheck,
} from '../list-checks.ts';
import { ADDRESSES, MARKET, order, PRICE, QUIET_MARKET } from '../scene.ts';
import { expect, type Stage } from '../stage.ts';

const FLAGS = ['status', 'dismissed', 'rejected', 'processing', 'waiting'];
const PAGE_MAX = 100;
const TRANSFER_SORTS = ['id', 'amount', 'fee', 'currency', 'created_at', 'updated_at'];

/** Checks deposit and withdrawal lists, for users and administrators. */
export function transferChecks(call: Call, base?: (stage: Stage) => object): Checks {
  const plan = { base: (stage: Stage) => ({ ...base?.(stage) }) };
  const first = async (stage: Stage, column: string) => {
    const { data } = await stage.ok(call, { ...base?.(stage) });
    return data.find((row: Record<string, unknown>) => row[column] !== '')?.[column];
  };
  const byFirst =
    (name: string): Checks[string] =>
    async (stage) => {
      const value = await first(stage, name);
      expect(value !== undefined, `a row with ${name}`, 'no row');
      const isIncluded = (row: Record<string, unknown>) => row[name] === value;
      await filterCheck(call, name, { ...plan, value: () => value, isIncluded })(stage);
    };
  return {
    ...listChecks({
      call,
      ...plan,
      date: 'created_at',
      sorts: TRANSFER_SORTS,
      maximum: PAGE_MAX,
      hasFile: true,
    }),
    currency: filterCheck(call, 'currency', {
      ...plan,
      value: () => 'eur',
      isIncluded: ({ currency }) => currency === 'eur',
    }),
    transaction_id: byFirst('transaction_id'),
    address: byFirst('address'),
    ...Object.fromEntries(FLAGS.map((flag) => [flag, flagCheck(call, flag, plan)])),
  };
}

const withdrawal = () => ({
  currency: 'usdt',
  amount: 20 + Math.floor(Math.random() * 1_000) / 1_000,
  address: ADDRESSES.eth,
  network: 'eth',
});

async function open(stage: Stage, given: object = {}) {
  return stage.ok('POST /v2/order', { ...order('buy', PRICE - 2_000), ...given });
}

const ORDER_CHECKS: Checks = {
  answer: async (stage) => {
    const made = await open(stage);
    expect(made.status === 'new' && made.filled === 0, 'status new', made);
    expect(made.created_by === stage.maker.id, `created_by ${stage.maker.id}`, made.created_by);
  },
  symbol: async (stage) => {
    const { symbol } = await open(stage, { symbol: QUIET_MARKET, price: 40_000 });
    expect(symbol === QUIET_MARKET, QUIET_MARKET, symbol);
    await stage.refused('POST /v2/order', { ...order('buy', PRICE), symbol: undefined });
  },
  side: async (stage) => {
    const { side } = await stage.ok('POST /v2/order', order('sell', PRICE + 2_000));
    expect(side === 'sell', 'sell', side);
    await stage.refused('POST /v2/order', { ...order('buy', PRICE), side: 'both' });
  },
  size: async (stage) => {
    const { size } = await open(stage, { size: '0.0012' });
    expect(size === 0.0012, '0.0012 for a text', size);
    await stage.refused('POST /v2/order', { ...order('buy', PRICE), size: undefined });
  },
  type: async (stage) => {
    const taken = await stage.ok(
      'POST /v2/order',
      {
        symbol: MARKET,
        side: 'buy',
        size: 0.001,
        type: 'market',
      },
      stage.taker.caller,
    );
    expect(taken.type === 'market' && taken.status === 'filled', 'a filled market order', taken);
    await stage.refused('POST /v2/order', { ...order('buy', PRICE), type: 'other' });
  },
  price: async (stage) => {
    const { price } = await open(stage, { price: '57999.5' });
    expect(price === 57_999.5, '57999.5 for a text', price);
    await stage.refused('POST /v2/order', { ...order('buy', PRICE), price: undefined });
  },
  stop: async (stage) => {
    const { status, stop } = await open(stage, { price: PRICE + 3_000, stop: PRICE + 2_500 });
    expect(stop === PRICE + 2_500 && status === 'new', 'an order that awaits its stop', {
      stop,
      status,
    });
  },
  'meta.post_only': async (stage) => {
    const { meta } = await open(stage, { meta: { post_only: true } });
    expect(meta.post_only === true, 'post_only', meta);
    const taking = { ...order('buy', PRICE + 1_500), meta: { post_only: true } };
    await stage.refused('POST /v2/order', taking, stage.taker.caller);
  },
  'meta.note': async (stage) => {
    const { meta } = await open(stage, { meta: { note: 'a remark' } });
    expect(meta.note === 'a remark', 'the note', meta);
  },
};

async function canceled(stage: Stage): Promise<void> {
  const { id } = await open(stage);
  const gone = await stage.ok('DELETE /v2/order', { order_id: id });
  expect(gone.id === id && gone.status === 'canceled', `canceled order ${id}`, gone);
}

async function canceledAll(stage: Stage): Promise<void> {
  const given = { symbol: QUIET_MARKET, price: 40_000 };
  const { id } = await open(stage, given);
  const { id: other } = await open(stage);
  const gone: { id: string; status: string; symbol: string }[] = await stage.ok(
    'DELETE /v2/order/all',
    { symbol: QUIET_MARKET },
  );
  expect(
    gone.some((one) => one.id === id),
    `order ${id}`,
    gone,
  );
  const isAll = gone.every(
    ({ status, symbol }) => status === 'canceled' && symbol === QUIET_MARKET,
  );
  expect(isAll, `canceled orders of ${QUIET_MARKET}`, gone);
  const { status } = await stage.ok('GET /v2/order', { order_id: other });
  expect(status === 'new', 'an order of another market stays', status);
}

const quote = (given: object) => ({
  spending_currency: 'usdt',
  receiving_currency: 'btc',
  ...given,
});

export const USER_CHECKS: Readonly<Record<string, Checks>> = {
  'GET /v2/user': {
    answer: async (stage) => {
      const { balance, email, id, wallet } = await stage.ok('GET /v2/user');
      expect(id === stage.maker.id && email === stage.maker.email, 'the caller', { id, email });
      expect(balance.usdt_balance > 0 && wallet.length > 0, 'balance and wallet', wallet);
    },
  },
  'GET /v2/user/balance': {
    answer: async (stage) => {
      const { usdt_available, usdt_balance } = await stage.ok('GET /v2/user/balance');
      const isHeld = usdt_available > 0 && usdt_available < usdt_balance;
      expect(isHeld, 'less available than there is: orders are open', {
        usdt_available,
        usdt_balance,
      });
    },
  },
  'GET /v2/user/deposits': transferChecks('GET /v2/user/deposits'),
  'GET /v2/user/withdrawals': transferChecks('GET /v2/user/withdrawals'),
  'GET /v2/user/withdrawal/fee': {
    answer: async (stage) => {
      const { fee } = await stage.ok('GET /v2/user/withdrawal/fee', { currency: 'btc' });
      const { coins } = await stage.ok('GET /v2/constants');
      expect(fee === coins.btc.withdrawal_fee, `${coins.btc.withdrawal_fee}`, fee);
    },
    currency: (stage) => stage.refused('GET /v2/user/withdrawal/fee', {}),
  },
  'POST /v2/user/withdrawal': {
    answer: async (stage) => {
      const given = withdrawal();
      const { amount, currency, id } = await stage.ok('POST /v2/user/withdrawal', given);
      expect(amount === given.amount && currency === 'usdt', `${given.amount} usdt`, {
        amount,
        currency,
      });
      const { data } = await stage.ok('GET /v2/user/withdrawals', { currency: 'usdt' });
      const row = data.find((one: { id: number }) => one.id === id);
      expect(row?.address === given.address, `row ${id} with its address`, row);
    },
    ...requiredCheck('POST /v2/user/withdrawal', withdrawal, ['currency', 'amount', 'address']),
    network: async (stage) => {
      const { network: _, ...rest } = withdrawal();
      await stage.refused('POST /v2/user/withdrawal', rest);
      const { amount } = await stage.ok('POST /v2/user/withdrawal', {
        currency: 'btc',
        amount: 0.002,
        address: ADDRESSES.btc,
      });
      expect(amount === 0.002, 'no network for a coin with one', amount);
    },
  },
  'GET /v2/user/trades': {
    ...listChecks({
      call: 'GET /v2/user/trades',
      date: 'timestamp',
      sorts: ['timestamp', 'price', 'size'],
      maximum: PAGE_MAX,
      hasFile: true,
    }),
    symbol: filterCheck('GET /v2/user/trades', 'symbol', {
      value: () => MARKET,
      isIncluded: ({ symbol }) => symbol === MARKET,
      findsAll: true,
    }),
  },
  'GET /v2/orders': {
    ...listChecks({
      call: 'GET /v2/orders',
      date: 'created_at',
      sorts: ['created_at', 'price', 'size'],
      maximum: PAGE_MAX,
    }),
    symbol: async (stage) => {
      await open(stage, { symbol: QUIET_MARKET, price: 40_000 });
      await filterCheck('GET /v2/orders', 'symbol', {
        value: () => QUIET_MARKET,
        isIncluded: ({ symbol }) => symbol === QUIET_MARKET,
      })(stage);
    },
    side: filterCheck('GET /v2/orders', 'side', {
      value: () => 'buy',
      isIncluded: ({ side }) => side === 'buy',
    }),
    open: both(
      filterCheck('GET /v2/orders', 'open', {
        value: () => true,
        isIncluded: ({ status }) => status === 'new' || status === 'pfilled',
      }),
      filterCheck('GET /v2/orders', 'open', {
        value: () => false,
        isIncluded: ({ status }) => status === 'filled' || status === 'canceled',
      }),
    ),
  },
  'GET /v2/order': {
    answer: async (stage) => {
      const { id } = await open(stage, { meta: { note: 'read it' } });
      const read = await stage.ok('GET /v2/order', { order_id: id });
      expect(read.id === id && read.meta.note === 'read it', `order ${id}`, read);
    },
    order_id: (stage) => stage.refused('GET /v2/order', {}),
  },
  'POST /v2/order': ORDER_CHECKS,
  'DELETE /v2/order/all': {
    answer: canceledAll,
    symbol: (stage) => stage.refused('DELETE /v2/order/all', {}),
  },
  'DELETE /v2/order': {
    answer: canceled,
    order_id: (stage) => stage.refused('DELETE /v2/order', {}),
  },
  'GET /v2/quick-trade': {
    answer: async (stage) => {
      const made = await stage.ok('GET /v2/quick-trade', quote({ spending_amount: '100' }));
      expect(made.spending_currency === 'usdt', 'usdt to btc', made);
      expect(Date.parse(made.expiry) > Date.now(), 'an expiry ahead', made.expiry);
    },
    spending_currency: (stage) =>
      stage.refused('GET /v2/quick-trade', { receiving_currency: 'btc', spending_amount: '1' }),
    receiving_currency: (stage) =>
      stage.refused('GET /v2/quick-trade', { spending_currency: 'usdt', spending_amount: '1' }),
    spending_amount: async (stage) => {
      const { spending_amount } = await stage.ok(
        'GET /v2/quick-trade',
        quote({ spending_amount: '100' }),
      );
      expect(spending_amount === 100, '100', spending_amount);
    },
    receiving_amount: async (stage) => {
      const { receiving_amount } = await stage.ok(
        'GET /v2/quick-trade',
        quote({ receiving_amount: '0.002' }),
      );
      expect(receiving_amount === 0.002, '0.002', receiving_amount);
    },
  },
  'POST /v2/order/execute': {
    answer: async (stage) => {
      const by = stage.taker.caller;
      const { token } = await stage.ok(
        'GET /v2/quick-trade',
        quote({ spending_amount: '100' }),
        by,
      );
      const { average, status } = await stage.ok('POST /v2/order/execute', { token }, by);
      expect(status === 'filled' && average > 0, 'a filled order', { status, average });
    },
    token: async (stage) => {
      await stage.refused('POST /v2/order/execute', {});
      await stage.refused('POST /v2/order/execute', { token: 'unknown' });
    },
  },
};
