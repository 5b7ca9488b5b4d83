// Test data of the suite, created through the interface itself: money, orders, trades, transfers in
// every state, users, addresses and stakes. More than one page of each, where that is cheap.

import type { Stage } from './stage.ts';
import type { Body, Caller } from './target.ts';

export const COINS = ['btc', 'usdt', 'eur'] as const;
export const MARKET = 'btc-usdt';
/** A market without trades. */
export const QUIET_MARKET = 'btc-eur';
export const PRICE = 60_000;
/** Valid addresses that belong to no user of this exchange. */
export const ADDRESSES = {
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  eth: '0x52908400098527886E0F7030069857D2E4169EE7',
} as const;

export const PASSWORD = 'lanterns over the canal';
const FUNDS = { btc: 50, usdt: 2_000_000, eur: 200_000 };
const LEVELS = 12;
const TRADES = 105;
const TRANSFERS = 105;
const GUESTS = 52;
const FLAGS = ['dismissed', 'rejected', 'processing', 'waiting'];

export function order(side: 'buy' | 'sell', price: number) {
  return { symbol: MARKET, side, size: 0.001, type: 'limit', price };
}

/** A small scene has one page of everything. */
export async function prepareScene(
  stage: Stage,
  print: (line: string) => void,
  { isSmall = false }: { readonly isSmall?: boolean } = {},
): Promise<void> {
  const { admin, maker, taker } = stage;
  const count = (most: number) => (isSmall ? 3 : most);
  for (const { id } of [maker, taker]) {
    for (const [currency, amount] of Object.entries(FUNDS)) {
      await post(admin.caller, 'mint', { user_id: id, currency, amount });
    }
  }
  print('placing orders and trading');
  await trade(stage, count(TRADES));
  print('creating deposits and withdrawals');
  for (const kind of ['mint', 'burn']) await transfers(stage, kind, count(TRANSFERS));
  print('making users');
  await people(stage, count(GUESTS));
}

async function trade({ maker, taker }: Stage, trades: number): Promise<void> {
  for (let level = 1; level <= LEVELS; level += 1) {
    await place(maker.caller, order('buy', PRICE - 1_000 - level));
    await place(maker.caller, order('sell', PRICE + 1_000 + level));
  }
  for (let at = 0; at < trades; at += 1) {
    const price = PRICE + (at % 7);
    await place(maker.caller, order('sell', price));
    await place(taker.caller, order('buy', price));
  }
}

/** Creates one transfer in every state, and many completed ones. */
async function transfers({ admin, maker }: Stage, kind: string, done: number): Promise<void> {
  const made = { user_id: maker.id, currency: 'eur' };
  for (let at = 1; at <= done; at += 1) await post(admin.caller, kind, { ...made, amount: at });
  for (const flag of FLAGS) {
    const transaction_id = `${kind}-${flag}-${Date.now()}`;
    const pending = { ...made, amount: 10, transaction_id, status: false, address: `at-${flag}` };
    await post(admin.caller, kind, pending);
    await attempt(
      admin.caller.must({
        method: 'PUT',
        path: `/v2/admin/${kind}`,
        body: { transaction_id, [flag]: true },
      }),
    );
  }
  await attempt(post(admin.caller, kind, { user_id: maker.id, currency: 'btc', amount: 0.5 }));
}

async function people(stage: Stage, made: number): Promise<void> {
  const { admin, maker } = stage;
  const { affiliation_code: referral } = await maker.caller.must({
    method: 'GET',
    path: '/v2/user',
  });
  const personal = {
    full_name: 'Marta Maker',
    gender: true,
    nationality: 'DE',
    phone_number: '+491701234567',
    dob: '1990-05-18',
    address: { country: 'DE', address: 'Hafen 1', postal_code: '20457', city: 'Hamburg' },
    id_data: {
      type: 'passport',
      number: 'C01X00T47',
      issued_date: '2020-01-02',
      expiration_date: '2030-01-02',
      status: 1,
    },
  };
  await attempt(
    admin.caller.must({
      method: 'PUT',
      path: '/v2/admin/user',
      query: { user_id: maker.id },
      body: personal,
    }),
  );
  await attempt(post(admin.caller, 'user/wallet', { user_id: maker.id, crypto: 'btc' }));
  const wallet = { user_id: maker.id, crypto: 'usdt', network: 'eth' };
  await attempt(post(admin.caller, 'user/wallet', wallet));
  for (let at = 0; at < made; at += 1) await makeGuest(stage, { referral });
}

export interface Guest {
  readonly id: number;
  readonly email: string;
}

let guests = 0;

/** Creates a user without money, who can sign in with PASSWORD. */
export async function makeGuest({ admin }: Stage, given: object = {}): Promise<Guest> {
  guests += 1;
  const email = `guest${guests}.${Date.now().toString(36)}@example.com`;
  const made = { email, password: PASSWORD };
  try {
    await post(admin.caller, 'user', { ...made, ...given });
  } catch {
    // The check of the parameter reports a failure.
    await post(admin.caller, 'user', made);
  }
  const query = { search: email };
  const { data } = await admin.caller.must({ method: 'GET', path: '/v2/admin/users', query });
  return { id: data[0].id, email };
}

function place(by: Caller, body: object): Promise<Body> {
  return by.must({ method: 'POST', path: '/v2/order', body: { ...body } });
}

function post(by: Caller, path: string, body: object): Promise<Body> {
  return by.must({ method: 'POST', path: `/v2/admin/${path}`, body: { ...body } });
}

/** Runs a step that might be rejected. The check of its parameter reports that. */
async function attempt(made: Promise<unknown>): Promise<void> {
  await made.catch((fault: Error) => console.error(`scene: ${fault.message}`));
}
