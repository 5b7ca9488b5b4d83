// Checks for administrator actions on balances, addresses, orders and trades.

import type { Call } from '../interface.ts';
import {
  both,
  type Checks,
  fileCheck,
  filterCheck,
  listChecks,
  requiredCheck,
} from '../list-checks.ts';
import { MARKET, makeGuest, order, PRICE } from '../scene.ts';
import { expect, type Stage } from '../stage.ts';

const PAGE_MAX = 50;
const BALANCES: Call = 'GET /v2/admin/balances';
const WALLETS: Call = 'GET /v2/admin/user/wallet';
const ORDERS: Call = 'GET /v2/admin/orders';
const TRADES: Call = 'GET /v2/admin/trades';

const orderFor = ({ maker }: Stage) => ({ user_id: maker.id, ...order('buy', PRICE - 2_000) });

const tradeFor = ({ maker, taker }: Stage) => ({
  maker_id: maker.id,
  taker_id: taker.id,
  maker_fee: 0.1,
  taker_fee: 0.2,
  symbol: MARKET,
  size: 0.01,
  price: PRICE,
  side: 'buy',
});

const placed = (stage: Stage, given: object = {}) =>
  stage.ok('POST /v2/admin/order', { ...orderFor(stage), ...given });

async function canceled(stage: Stage, given: object): Promise<void> {
  const { id } = await placed(stage);
  await stage.ok('DELETE /v2/admin/order', { order_id: id, ...given });
  const { status } = await stage.ok('GET /v2/order', { order_id: id });
  expect(status === 'canceled', 'canceled', status);
}

async function sidesOfTrade(stage: Stage): Promise<void> {
  const { maker_id, side } = await stage.ok('POST /v2/admin/trade', {
    ...tradeFor(stage),
    side: 'sell',
  });
  expect(side === 'sell' && maker_id === stage.maker.id, 'side sell', { side, maker_id });
}

const WALLET_CHECKS: Checks = {
  ...listChecks({
    call: WALLETS,
    date: 'created_at',
    sorts: ['created_at', 'currency', 'network'],
    maximum: PAGE_MAX,
    hasFile: true,
  }),
  answer: async (stage) => {
    const { data } = await stage.ok(WALLETS, { user_id: stage.maker.id });
    const { email } = data[0]?.User ?? {};
    expect(email === stage.maker.email, stage.maker.email, email);
  },
  user_id: async (stage) => {
    const { count } = await stage.ok(WALLETS, { user_id: stage.maker.id });
    const { count: none } = await stage.ok(WALLETS, { user_id: stage.admin.id });
    expect(count > 0 && none === 0, 'addresses of the maker alone', { count, none });
  },
  address: async (stage) => {
    const { data } = await stage.ok(WALLETS);
    await filterCheck(WALLETS, 'address', {
      value: () => data[0]?.address,
      isIncluded: ({ address }, value) => address === value,
    })(stage);
  },
  is_valid: async (stage) => {
    const { count } = await stage.ok(WALLETS, { is_valid: true });
    const { count: none } = await stage.ok(WALLETS, { is_valid: false });
    expect(count > 0 && none === 0, 'valid addresses only', { count, none });
  },
  network: filterCheck(WALLETS, 'network', {
    value: () => 'btc',
    isIncluded: ({ network }) => network === 'btc',
  }),
};

const ORDERS_CHECKS: Checks = {
  ...listChecks({
    call: ORDERS,
    date: 'created_at',
    sorts: ['created_at', 'price', 'size'],
    maximum: PAGE_MAX,
    hasFile: true,
  }),
  answer: async (stage) => {
    const { data } = await stage.ok(ORDERS, { user_id: stage.maker.id });
    const { User } = data[0];
    expect(User?.email === stage.maker.email, stage.maker.email, User);
  },
  user_id: filterCheck(ORDERS, 'user_id', {
    value: ({ taker }) => taker.id,
    isIncluded: ({ created_by }, value) => created_by === value,
  }),
  side: filterCheck(ORDERS, 'side', {
    value: () => 'sell',
    isIncluded: ({ side }) => side === 'sell',
  }),
  status: async (stage) => {
    const { id } = await placed(stage);
    await stage.ok('DELETE /v2/order', { order_id: id });
    const states = { open: ['new', 'pfilled'], filled: ['filled'], canceled: ['canceled'] };
    for (const [value, included] of Object.entries(states)) {
      await filterCheck(ORDERS, 'status', {
        value: () => value,
        isIncluded: ({ status }) => included.includes(status),
      })(stage);
    }
  },
  open: both(
    filterCheck(ORDERS, 'open', {
      value: () => true,
      isIncluded: ({ status }) => status === 'new' || status === 'pfilled',
    }),
    filterCheck(ORDERS, 'open', {
      value: () => false,
      isIncluded: ({ status }) => status === 'filled' || status === 'canceled',
    }),
  ),
  bank_key: async (stage) => {
    await stage.ok(ORDERS, { bank_key: 'bank_name', bank_value: 'Harbor Bank' });
  },
  bank_value: async (stage) => {
    await stage.ok(ORDERS, { bank_key: 'bank_name', bank_value: 'Other Bank' });
  },
};

export const TRADING_CHECKS: Readonly<Record<string, Checks>> = {
  'GET /v2/admin/user/balance': {
    answer: async (stage) => {
      const given = { user_id: stage.maker.id };
      const { usdt_balance, user_id } = await stage.ok('GET /v2/admin/user/balance', given);
      expect(user_id === stage.maker.id && usdt_balance > 0, 'balances of the maker', user_id);
    },
    user_id: (stage) => stage.refused('GET /v2/admin/user/balance', {}),
  },
  [BALANCES]: {
    answer: async (stage) => {
      const { data } = await stage.ok(BALANCES, { user_id: stage.maker.id, currency: 'usdt' });
      const { available, balance } = data[0] ?? {};
      expect(Number(available) <= Number(balance), 'available ≤ balance', data[0]);
    },
    user_id: filterCheck(BALANCES, 'user_id', {
      value: ({ maker }) => maker.id,
      isIncluded: ({ user_id }, value) => user_id === value,
    }),
    currency: filterCheck(BALANCES, 'currency', {
      value: () => 'eur',
      isIncluded: ({ symbol }) => symbol === 'eur',
    }),
    format: fileCheck({ call: BALANCES }),
  },
  'GET /v2/admin/balance': {
    answer: async (stage) => {
      const all = await stage.ok('GET /v2/admin/balance');
      const one = await stage.ok('GET /v2/admin/user/balance', { user_id: stage.maker.id });
      expect(all.usdt_balance > one.usdt_balance, 'more than one user has', all.usdt_balance);
    },
  },
  'POST /v2/admin/user/wallet': {
    answer: async (stage) => {
      const { id } = await makeGuest(stage);
      await stage.ok('POST /v2/admin/user/wallet', { user_id: id, crypto: 'btc' });
      const { data } = await stage.ok(WALLETS, { user_id: id });
      expect(data[0]?.currency === 'btc', 'an address for btc', data);
    },
    ...requiredCheck(
      'POST /v2/admin/user/wallet',
      ({ taker }) => ({ user_id: taker.id, crypto: 'btc' }),
      ['user_id', 'crypto'],
    ),
    network: async (stage) => {
      const { id } = await makeGuest(stage);
      const given = { user_id: id, crypto: 'usdt', network: 'eth' };
      await stage.ok('POST /v2/admin/user/wallet', given);
      const { data } = await stage.ok(WALLETS, { user_id: id });
      expect(data[0]?.network === 'eth', 'an address of eth', data);
    },
  },
  [WALLETS]: WALLET_CHECKS,
  'POST /v2/admin/order': {
    answer: async (stage) => {
      const made = await placed(stage);
      expect(made.created_by === stage.maker.id && made.status === 'new', 'a new order', made);
    },
    ...requiredCheck('POST /v2/admin/order', orderFor, [
      'user_id',
      'symbol',
      'size',
      'side',
      'type',
    ]),
    price: async (stage) => {
      const { price } = await placed(stage, { price: PRICE - 2_500 });
      expect(price === PRICE - 2_500, `${PRICE - 2_500}`, price);
      await stage.refused('POST /v2/admin/order', { ...orderFor(stage), price: undefined });
    },
    type: async (stage) => {
      const given = { user_id: stage.taker.id, type: 'market', side: 'sell', price: 0 };
      const { status, type } = await placed(stage, given);
      expect(type === 'market' && status === 'filled', 'a filled market order', { type, status });
    },
  },
  'DELETE /v2/admin/order': {
    answer: (stage) => canceled(stage, { user_id: stage.maker.id }),
    order_id: (stage) => stage.refused('DELETE /v2/admin/order', { user_id: stage.maker.id }),
    user_id: (stage) => canceled(stage, {}),
  },
  [ORDERS]: ORDERS_CHECKS,
  'POST /v2/admin/trade': {
    answer: async (stage) => {
      const given = tradeFor(stage);
      const made = await stage.ok('POST /v2/admin/trade', given);
      expect(made.size === given.size && made.price === given.price, '0.01 at the price', made);
      // The buyer pays in the base, the seller in the quote.
      expect(made.maker_fee === 0.6, 'a fee of the maker of 0.6 usdt', made);
      expect(made.taker_fee === 0.00002, 'a fee of the taker of 0.00002 btc', made);
    },
    ...requiredCheck('POST /v2/admin/trade', tradeFor, [
      'maker_id',
      'taker_id',
      'maker_fee',
      'taker_fee',
      'symbol',
      'size',
      'price',
    ]),
    side: sidesOfTrade,
  },
  [TRADES]: {
    ...listChecks({
      call: TRADES,
      date: 'timestamp',
      sorts: ['timestamp', 'price', 'size'],
      maximum: PAGE_MAX,
      hasFile: true,
    }),
    user_id: filterCheck(TRADES, 'user_id', {
      value: ({ taker }) => taker.id,
      isIncluded: ({ maker_id, taker_id }, value) => maker_id === value || taker_id === value,
      findsAll: true,
    }),
    side: async (stage) => {
      await sidesOfTrade(stage);
      await filterCheck(TRADES, 'side', {
        value: () => 'sell',
        isIncluded: ({ side }) => side === 'sell',
      })(stage);
    },
    symbol: filterCheck(TRADES, 'symbol', {
      value: () => MARKET,
      isIncluded: ({ symbol }) => symbol === MARKET,
      findsAll: true,
    }),
  },
};
