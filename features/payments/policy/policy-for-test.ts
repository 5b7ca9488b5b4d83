// Creates a registry with coins, limits and everything else that the withdrawal policy reads, row
// by row. Only tests import it.

import assert from 'node:assert/strict';
import type { AssetId, Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import {
  inTransaction,
  migrate,
  type OwnConnection,
  openPool,
  type Pool,
} from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { createUser, setTransactionLimit } from '../../accounts/index.ts';
import { describeCoin } from '../../listings/index.ts';
import type { WithdrawalRequest } from '../withdrawals/requests.ts';
import { type PolicyRule, withdrawalPolicy } from './withdrawal-policy.ts';
import { type PolicyRequest, readPolicyInput } from './withdrawal-policy-input.ts';

export const BTC = { id: 1 as AssetId, currency: 'btc', scale: 8 };
export const ETH = { id: 3 as AssetId, currency: 'eth', scale: 8 };
export const EUR = { id: 4 as AssetId, currency: 'eur', scale: 8 };
export const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
export const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
export const HOUR = '1 hour';
export const SCHEMA = 'rialto';

let postgres: PostgresForTest;
export let connection: OwnConnection;
/** One pool for each of two gateways. */
export let pools: readonly Pool[];
let users = 0;
let stop: () => Promise<void> = async () => {};

export async function newUser(parent?: UserId): Promise<UserId> {
  const made = await createUser(connection, { email: `user${++users}@example.com` });
  assert.ok(typeof made === 'object');
  const old = "created_at = now() - interval '1 year', state_since = now() - interval '1 year'";
  await connection.query(`update users set ${old} where id = $1`, [made.id]);
  if (parent !== undefined) {
    const text = "update users set kind = 'sub', parent_id = $2 where id = $1";
    await connection.query(text, [made.id, parent]);
  }
  return made.id;
}

export function terms(user: UserId): Omit<PolicyRequest, 'proof'> {
  return {
    user,
    key: 0 as KeyId,
    asset: BTC,
    amountAtoms: 100_000n as Atoms,
    feeAsset: BTC,
    feeAtoms: 10n as Atoms,
    address: ADDRESS,
    network: 'btc',
    projectionSchema: SCHEMA,
  };
}

export function request(user: UserId, change: Partial<WithdrawalRequest> = {}): WithdrawalRequest {
  const proven = { asset: BTC, feeAsset: BTC, isConfirmed: async () => true };
  return { ...terms(user), ...proven, ...change };
}

/** Returns the rules of the lines that do not pass. */
export async function failing(asked: PolicyRequest): Promise<PolicyRule[]> {
  const input = await inTransaction(connection, () => readPolicyInput(connection, asked));
  assert.ok(input !== undefined);
  const { lines } = withdrawalPolicy(input);
  return lines.filter(({ result }) => result !== 'pass').map(({ rule }) => rule);
}

export async function newKey(user: UserId, columns: Record<string, unknown> = {}): Promise<KeyId> {
  const all = {
    user_id: user,
    name: 'a key',
    public_key: `${++users}`.padStart(40, '0'),
    kind: 'hmac',
    can_withdraw: true,
    withdraw_granted_at: new Date(),
    whitelisted_ips: ['10.0.0.1'],
    whitelisting_enabled: true,
    expires_at: new Date(Date.now() + 3_600_000),
    kek_id: 1,
    sealed: Buffer.alloc(1),
    ...columns,
  };
  const names = Object.keys(all);
  const { rows } = await connection.query(
    `insert into api_keys (${names.join(', ')})
     values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(all),
  );
  return Number(rows[0].id) as KeyId;
}

export async function newBank(user: UserId, status: string): Promise<string> {
  const id = `${++users}`.padStart(16, '0');
  const text = "insert into bank_accounts (id, user_id, status, sealed) values ($1, $2, $3, '')";
  await connection.query(text, [id, user, status]);
  return id;
}

export interface PlantedSession {
  /** Age of its device. */
  readonly device?: string;
  readonly country?: string;
  /** Countries of last week's logins. */
  readonly known?: readonly string[];
}

export async function newSession(
  user: UserId,
  { country = 'IT', device = '1 week', known = ['IT'] }: PlantedSession,
): Promise<number> {
  const login = async (of: string, age: string) =>
    (
      await connection.query(
        `insert into logins (user_id, email_mac, outcome, ip, country, created_at)
         values ($1, '', 'success', '', $2, now() - $3::interval) returning id`,
        [user, of, age],
      )
    ).rows[0].id;
  for (const one of known) await login(one, '1 week');
  const { rows } = await connection.query(
    `with d as (
       insert into devices (user_id, network, first_seen_at)
       values ($1, '10.0.0.0', now() - $2::interval) returning id)
     insert into sessions (user_id, token_hash, scopes, expires_at, device_id, login_id)
     select $1, $3, '{}', now() + interval '1 hour', d.id, $4 from d returning id`,
    [user, device, Buffer.alloc(32, ++users), await login(country, '1 minute')],
  );
  return Number(rows[0].id);
}

export async function bookEntry(user: UserId, activeIn: string, tag = ''): Promise<undefined> {
  await connection.query(
    `insert into address_book (user_id, label, address, tag, network, currency, active_at)
     values ($1, $2, $3, $2, 'btc', 'btc', now() + $4::interval)`,
    [user, tag, ADDRESS, activeIn],
  );
}

export async function change(user: UserId, text: string): Promise<undefined> {
  await connection.query(`update users set ${text} where id = $1`, [user]);
}

/** Inserts a past withdrawal in this state. */
export async function withdrawn(
  user: UserId,
  columns: {
    atoms?: bigint;
    age?: string;
    state?: string;
    kind?: string;
    network?: string;
    currency?: string;
    address?: string;
  } = {},
): Promise<undefined> {
  const { age = '10 minutes', atoms = 100_000n, currency = 'btc', kind = 'withdrawal' } = columns;
  const { address = ADDRESS, network = 'btc', state = 'completed' } = columns;
  await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
       created_at)
     values ($1, $2, 1, $3, 8, $4, 1, 'btc', 8, 0, $5, $6, $7, $8, now() - $9::interval)`,
    [kind, user, currency, atoms, address, network, `tx ${++users}`, state, age],
  );
}

export async function deposited(
  user: UserId,
  age: string,
  kind = 'deposit',
  transaction = `tx ${++users}`,
): Promise<undefined> {
  await connection.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       transaction_id, state, updated_at)
     values ($1, $2, 1, 'btc', 8, 2000000, '', $3, 'completed', now() - $4::interval)`,
    [kind, user, transaction, age],
  );
}

export async function received(user: UserId, from: () => Promise<UserId>): Promise<undefined> {
  const transaction = `tx ${++users}`;
  await deposited(user, '1 minute', 'transfer', transaction);
  await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
     values ('transfer', $1, 1, 'btc', 8, 2000000, 1, 'btc', 8, 0, 'transfer', $2, 'completed')`,
    [await from(), transaction],
  );
}

export const second = { proof: 'second_factor' } as const;

export async function openPolicyRegistry(): Promise<void> {
  postgres = await startPostgresForTest({
    after: (end) => {
      stop = end;
    },
  });
  connection = await postgres.session('registry');
  await migrate(connection, 'registry', readRegistryMigrations());
  await postgres.schema(SCHEMA);
  pools = [1, 2].map(() => openPool({ ...postgres.connection('registry'), connectionsMax: 10 }));
  const open = { allowWithdrawal: true, network: 'btc,btc-regtest,unknown', min: '0.0001' };
  const prices = { btc: '60000', usdt: '1', eth: '10', doge: '10', shut: '1', off: '1' };
  for (const [symbol, estimatedPrice] of Object.entries(prices)) {
    await describeCoin(connection, { symbol, fullname: symbol, estimatedPrice, ...open });
  }
  await describeCoin(connection, { symbol: 'shut', fullname: 'shut', active: false });
  await describeCoin(connection, { symbol: 'off', fullname: 'off', allowWithdrawal: false });
  const euro = { symbol: 'eur', fullname: 'Euro', type: 'fiat', estimatedPrice: '1' } as const;
  await describeCoin(connection, { ...euro, allowWithdrawal: true });
  const fee = { type: 'static', value: '0.0005', symbol: 'btc', min: null, max: null } as const;
  await describeCoin(connection, {
    symbol: 'btc',
    fullname: 'Bitcoin',
    withdrawalFees: {
      btc: { ...fee, active: true, max: '0.1' },
      'btc-regtest': { ...fee, active: false },
    },
  });
  const limit = { type: 'withdrawal', limitCurrency: 'btc', currency: 'btc' } as const;
  await setTransactionLimit(connection, {
    ...limit,
    tier: 1,
    amount: '0.01',
    monthlyAmount: '0.1',
  });
  await setTransactionLimit(connection, { ...limit, tier: 2, amount: '0', monthlyAmount: '0' });
  await setTransactionLimit(connection, { ...limit, tier: 3, amount: '-1', monthlyAmount: '0' });
  const shared = { ...limit, tier: 1, limitCurrency: 'default', currency: 'usdt' };
  await setTransactionLimit(connection, { ...shared, amount: '10', monthlyAmount: '0' });
}

export async function closePolicyRegistry(): Promise<void> {
  for (const pool of pools) await pool.end();
  await stop();
}
