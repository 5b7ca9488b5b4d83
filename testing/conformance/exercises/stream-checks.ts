// Checks for the stream: subscriptions, and the messages of every topic.

import type { TopicName } from '../interface.ts';
import type { Check, Checks } from '../list-checks.ts';
import { Listener } from '../listener.ts';
import { ADDRESSES, MARKET, order, PRICE, QUIET_MARKET } from '../scene.ts';
import { expect, type Person, type Stage } from '../stage.ts';
import type { Body } from '../target.ts';

const ORDERS_MAX = 50;

interface Heard {
  readonly stage: Stage;
  readonly listener: Listener;
  /** Returns the first message of the topic with this action, after comparing its shape. */
  message(action: string, fits?: (message: Body) => boolean): Promise<Body>;
}

/** Subscribes, acts, and reads the messages. */
function hears(
  topic: TopicName,
  by: (stage: Stage) => Person | undefined,
  check: (heard: Heard) => Promise<void>,
  args: readonly string[] = [topic],
): Check {
  return async (stage) => {
    const listener = await Listener.open(stage.target.streamUrl, by(stage)?.caller.key);
    try {
      listener.subscribe(...args);
      // The server reads messages in order, so the subscription is active before the pong.
      listener.send({ op: 'ping' });
      await listener.first('a pong', isPong);
      const message: Heard['message'] = async (action, fits = () => true) => {
        const found = await listener.first(
          `${action} of ${topic}`,
          (one) => one.topic === topic && one.action === action && fits(one),
        );
        stage.matchMessage(topic, action, found);
        return found;
      };
      await check({ stage, listener, message });
    } finally {
      listener.close();
    }
  };
}

const isPong = (message: Body) => /pong/.test(JSON.stringify(message));
const nobody = () => undefined;
const maker = ({ maker: one }: Stage) => one;
const taker = ({ taker: one }: Stage) => one;
const admin = ({ admin: one }: Stage) => one;

/** Checks that the topic is rejected without credentials. */
function isPrivate(topic: TopicName): Check {
  return hears(topic, nobody, async ({ listener }) => {
    await listener.first('a refusal without credentials', ({ error }) => error !== undefined);
  });
}

const place = (stage: Stage, by: Person, given: object) =>
  stage.ok('POST /v2/order', { ...given }, by.caller);

async function orderLives({ message, stage }: Heard): Promise<void> {
  await message('partial');
  const { id } = await place(stage, stage.maker, order('buy', PRICE - 3_000));
  const fits = ({ data }: Body) => one(data)?.id === id;
  const inserted = await message('insert', fits);
  expect(one(inserted.data).status === 'new', 'insert with status new', inserted.data);
  expect(inserted.user_id === stage.maker.id, `user_id ${stage.maker.id}`, inserted.user_id);
  await stage.ok('DELETE /v2/order', { order_id: id });
  const updated = await message('update', fits);
  expect(one(updated.data).status === 'canceled', 'update with status canceled', updated.data);
}

/** A triggered stop is the same order, with documented states only. */
async function stopFires({ listener, message, stage }: Heard): Promise<void> {
  await message('partial');
  const price = PRICE + 900;
  const stop = { ...order('buy', price), stop: price - 50, price: price + 50 };
  const { id } = await place(stage, stage.maker, stop);
  const both = [order('sell', price - 40), order('buy', price - 40)];
  await place(stage, stage.taker, both[0]);
  await place(stage, stage.maker, both[1]);
  const own = ({ data, topic }: Body) => topic === 'order' && one(data)?.id === id;
  await listener.first('the fired stop', (found) => own(found) && found.action === 'update');
  const known = ['new', 'pfilled', 'filled', 'canceled'];
  for (const { data } of listener.messages.filter(own)) {
    const { status } = one(data);
    expect(known.includes(status), known.join(' or '), status);
  }
  const inserts = listener.messages.filter((found) => own(found) && found.action === 'insert');
  expect(inserts.length === 1, 'one insert of an order', inserts.length);
  await stage.send('DELETE /v2/order', { order_id: id });
}

function one(data: Body): Body {
  return Array.isArray(data) ? data[0] : data;
}

const mint = (stage: Stage, given: object) =>
  stage.ok('POST /v2/admin/mint', { user_id: stage.taker.id, currency: 'eur', ...given });

export const TOPIC_CHECKS: Readonly<Record<TopicName, Checks>> = {
  orderbook: {
    subscription: hears('orderbook', nobody, async ({ message }) => {
      await message('partial', ({ symbol }) => symbol === MARKET);
      await message('partial', ({ symbol }) => symbol === QUIET_MARKET);
    }),
    partial: hears(
      'orderbook',
      nobody,
      async ({ listener, message, stage }) => {
        await message('partial', ({ symbol }) => symbol === MARKET);
        const from = listener.messages.length;
        await place(stage, stage.maker, order('buy', PRICE - 900));
        const isNewer = ({ data, topic }: Body) =>
          topic === 'orderbook' && data.bids?.[0]?.[0] === PRICE - 900;
        await listener.first('the book with the order', isNewer, from);
        const others = listener.messages.filter(({ symbol }) => symbol === QUIET_MARKET);
        expect(others.length === 0, `only ${MARKET}`, others[0]);
        await stage.ok('DELETE /v2/order/all', { symbol: QUIET_MARKET });
      },
      [`orderbook:${MARKET}`],
    ),
  },
  trade: {
    subscription: hears('trade', nobody, async ({ message }) => {
      await message('partial', ({ symbol }) => symbol === MARKET);
    }),
    partial: hears(
      'trade',
      nobody,
      async ({ message }) => {
        const { data } = await message('partial');
        const isSorted = data[0].timestamp >= data.at(-1).timestamp;
        expect(data.length > 0 && isSorted, 'trades, newest first', data.length);
      },
      [`trade:${MARKET}`],
    ),
  },
  order: {
    subscription: isPrivate('order'),
    partial: hears('order', maker, async ({ message }) => {
      const { data } = await message('partial');
      expect(data.length === ORDERS_MAX, '50 orders', data.length);
      const isSorted = data[0].created_at >= data.at(-1).created_at;
      expect(isSorted, 'newest first', [data[0].created_at, data.at(-1).created_at]);
      const states = new Set(data.map(({ status }: Body) => status));
      expect(states.has('canceled') || states.has('filled'), 'closed orders too', [...states]);
    }),
    insert: hears('order', maker, orderLives),
    update: hears('order', maker, stopFires),
  },
  usertrade: {
    subscription: isPrivate('usertrade'),
    insert: hears('usertrade', taker, async ({ message, stage }) => {
      await message('partial');
      const { caller } = stage.taker;
      const given = { symbol: MARKET, side: 'sell', size: 0.001, type: 'market' };
      await stage.ok('POST /v2/order', given, caller);
      await message('insert');
    }),
  },
  wallet: {
    subscription: isPrivate('wallet'),
    partial: hears('wallet', maker, async ({ listener, message, stage }) => {
      const { data, user_id } = await message('partial');
      expect(user_id === stage.maker.id, `user_id ${stage.maker.id}`, user_id);
      const from = listener.messages.length;
      await place(stage, stage.maker, order('buy', PRICE - 3_500));
      const later = await listener.first('a wallet', ({ topic }) => topic === 'wallet', from);
      const lost = Object.keys(data).filter((key) => !(key in later.data));
      expect(lost.length === 0, 'all coins in every partial', `without ${lost}`);
    }),
  },
  deposit: {
    subscription: isPrivate('deposit'),
    insert: hears('deposit', taker, async ({ listener, message, stage }) => {
      await mint(stage, { amount: 4 });
      await message('insert');
      const from = listener.messages.length;
      const transaction_id = `stream-${Date.now()}`;
      await mint(stage, { amount: 5, transaction_id, status: false });
      await stage.ok('PUT /v2/admin/mint', { transaction_id, dismissed: true });
      await listener.first(
        'a canceled deposit',
        ({ data, topic }) => topic === 'deposit' && /dismiss/i.test(String(data.status)),
        from,
      );
    }),
  },
  withdrawal: {
    subscription: isPrivate('withdrawal'),
    insert: hears('withdrawal', maker, async ({ message, stage }) => {
      const given = { currency: 'usdt', amount: 31, address: ADDRESSES.eth, network: 'eth' };
      await stage.ok('POST /v2/user/withdrawal', given);
      await message('insert');
    }),
  },
  admin: {
    subscription: hears('admin', maker, async ({ listener }) => {
      await listener.first('a refusal to a user', ({ error }) => error !== undefined);
    }),
    events: hears('admin', admin, async ({ listener, stage }) => {
      await mint(stage, { amount: 6 });
      const isDeposit = ({ data, user_id }: Body) =>
        user_id === stage.taker.id && data?.currency === 'eur';
      await listener.first('a deposit of a user', isDeposit);
    }),
  },
  stake: {
    subscription: isPrivate('stake'),
    insert: hears('stake', taker, async ({ message, stage }) => {
      const { data } = await stage.admin.caller.must({
        method: 'GET',
        path: '/v2/admin/stakes',
        query: { limit: 100 },
      });
      const pool = data.find(({ onboarding, status }: Body) => onboarding && status === 'active');
      expect(pool !== undefined, 'an open pool', data.length);
      const body = { stake_id: pool.id, amount: 10 };
      await stage.taker.caller.must({ method: 'POST', path: '/v2/stake', body });
      await message('insert');
    }),
  },
  price: {
    subscription: hears('price', nobody, async ({ message }) => {
      await message('partial');
    }),
    partial: hears('price', nobody, async ({ message }) => {
      const { data } = await message('partial');
      expect(Object.keys(data).includes('btc'), 'a price of btc', data);
    }),
  },
};

/** Rules for every connection. */
export const CONNECTION_CHECKS: Checks = {
  ping: hears('price', nobody, async ({ listener }) => {
    const from = listener.messages.length;
    listener.send({ op: 'ping' });
    await listener.first('a pong', isPong, from);
  }),
  unsubscribe: hears(
    'orderbook',
    nobody,
    async ({ listener, message, stage }) => {
      await message('partial');
      listener.send({ op: 'unsubscribe', args: [`orderbook:${MARKET}`] });
      await listener.first('an answer', ({ message: text }) => /nsubscribed/.test(text ?? ''));
      const from = listener.messages.length;
      await place(stage, stage.maker, order('buy', PRICE - 950));
      // Another subscriber's book has the order, but this one did not receive it.
      await hears('orderbook', nobody, async (other) => {
        await other.message('partial', ({ symbol }) => symbol === MARKET);
      })(stage);
      const more = listener.messages.slice(from).filter(({ topic }) => topic === 'orderbook');
      expect(more.length === 0, 'no more books', more[0]);
    },
    [`orderbook:${MARKET}`],
  ),
};
