// Valid requests for asset, market, limit and kill switch routes. They change nothing that other
// samples need.

import { randomUUID } from 'node:crypto';
import { RULES_VERSION_MAX } from '../../core/messages/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';

interface MarketWorld {
  readonly registry: Pool;
  userId(owner: 'admin' | 'bob'): number;
}

interface MarketSample {
  readonly query?: Readonly<Record<string, number | string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: MarketWorld) => MarketSample | Promise<MarketSample>;

const UNLISTED = ['eur-usdt', 'usdt-btc', 'eur-btc'];

export const marketSamples = {
  createCoin: () => ({
    body: { symbol: `c${randomUUID().slice(0, 8)}`, fullname: 'A coin', decimals: 8 },
  }),
  changeCoin: () => ({ body: { code: 'btc', fullname: 'Bitcoin', issuance_cap: 21_000_000 } }),
  createPair: async ({ registry }) => {
    const { rows } = await registry.query('select name from rialto.markets');
    const listed = new Set(rows.map(({ name }) => name));
    const name = UNLISTED.find((one) => !listed.has(one)) ?? UNLISTED[0];
    const [pair_base, pair_2] = name.split('-');
    const sizes = { increment_size: 1, max_size: 100_000, increment_price: 0.01, max_price: 1_000 };
    return { body: { name, pair_base, pair_2, ...sizes, estimated_price: 1, status: 'full' } };
  },
  changePair: () => ({ body: { code: 'btc-usdt', is_public: true, status: 'full' } }),
  setBand: () => ({ body: { code: 'usdt-eur', band: 9.5, slippage: 4.5 } }),
  setPairFees: () => ({ body: { pair: 'usdt-eur', fees: { 1: { maker: 0.1, taker: 0.25 } } } }),
  createTier: async ({ registry }) => {
    const { rows } = await registry.query('select max(id) + 1 as level from tiers');
    const fees = { maker: { 'btc-usdt': 0.05 }, taker: { 'btc-usdt': 0.1 } };
    return {
      body: { level: Number(rows[0].level), name: 'A tier', icon: '', description: '', fees },
    };
  },
  changeTier: () => ({ body: { level: 2, note: 'For people who trade much.' } }),
  setTransactionLimit: () => ({
    body: {
      tier: 1,
      type: 'deposit',
      currency: 'usdt',
      limit_currency: 'eur',
      amount: 100.5,
      monthly_amount: 1_000,
    },
  }),
  declareHolding: () => ({ body: { currency: 'btc', amount: 1_000_000, note: 'cold wallets' } }),
  attributeCustodyDeposit: async (world) => ({
    body: {
      id: await unattributedDeposit(world.registry),
      user_id: world.userId('bob'),
      note: 'the sender is known',
    },
  }),
  resumeCustodyNetwork: async ({ registry }) => {
    await haltedNetwork(registry);
    return { body: { network: 'bnb', note: 'the nodes were repaired' } };
  },
  deleteTransactionLimit: async ({ registry }) => {
    const { rows } = await registry.query(
      `insert into transaction_limits (tier, type, currency, limit_currency, amount, monthly_amount)
       values (1, 'deposit', 'usdt', 'btc', 1, 1)
       on conflict (tier, type, limit_currency) do update set amount = 1 returning id`,
    );
    return { query: { id: Number(rows[0].id) } };
  },
  setQuickTrade: () => ({ body: { symbol: 'usdt-eur', active: true } }),
  setEngineLimits: () => ({ body: { fillsPerCommandMax: 1_000 } }),
  setRulesVersion: () => ({ body: { version: RULES_VERSION_MAX } }),
  setUserGroup: (world) => ({ body: { user_id: world.userId('bob'), group: 0 } }),
  // The engine froze nothing for this command. Only the tables list it.
  voidCommand: async ({ registry }) => {
    const command = 1_000_000_000 + Math.floor(Math.random() * 1_000_000);
    await registry.query(
      `insert into rialto.freezes (frame, event_index, command, channel, frozen_at)
       values ($1, 0, $1, 15, now())`,
      [command],
    );
    return { body: { command } };
  },
  getSwitchImpact: () => ({ query: { name: 'trading', symbol: 'btc-usdt' } }),
  setBanner: () => ({ body: { kind: 'info', text: 'All is well.' } }),
  stopSwitch: () => ({ body: { name: 'deposits', symbol: 'usdt' } }),
  resumeSwitch: async (world) => {
    await world.registry.query(
      `insert into stops (name, object, previous, stopped_by, stopped_at)
       values ('deposits', 'usdt', '', $1, now()) on conflict do nothing`,
      [world.userId('admin')],
    );
    return { body: { name: 'deposits', symbol: 'usdt' } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

/** A network under custody that no other sample uses. */
async function haltedNetwork(registry: Pool): Promise<void> {
  await registry.query(
    `insert into custody_networks (network, family, from_height, height, hash, tip_height,
       opened_after_deposit, halted_reason, halted_at)
     values ('bnb', 'evm', 1, 9, '', 9, 0, 'final block 9 was replaced', now())
     on conflict (network) do update
       set halted_reason = excluded.halted_reason, halted_at = excluded.halted_at`,
  );
}

async function unattributedDeposit(registry: Pool): Promise<number> {
  await haltedNetwork(registry);
  const { rows } = await registry.query(
    `insert into custody_deposits (network, asset_id, cause, txid, output, address, units, atoms,
       dust_units, height, block_hash, state, reason, finalized_at)
     values ('bnb', (select id from rialto.assets where symbol = 'usdt'), $1, '', '',
       decode(repeat('ab', 20), 'hex'), 5000000, 5000000, 0, 9, '', 'unattributed',
       'no transfer explains the balance', now())
     returning id`,
    [randomUUID()],
  );
  return Number(rows[0].id);
}
