// Creates a registry and projected tables on a real PostgreSQL, with two markets, and rows for the
// surveillance rules. Only tests import it.

import { MINUTE_MS } from '../../core/market-data/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection, type Pool } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { makeUser, openRegistryForTest } from '../auth/registry-for-test.ts';
import type { RuleName } from './rule.ts';
import { runSurveillance } from './surveillance.ts';

export const SCHEMA = 'rialto';
/** Start of an hour window and of a ten-minute window. */
export const NOON = Date.parse('2026-11-16T12:00:00Z');

export interface PlantedOrder {
  readonly user: UserId;
  /** Minutes since noon. */
  readonly minute?: number;
  readonly reason?: string | null;
  readonly market?: 1 | 2;
  readonly filledLots?: number;
  readonly count?: number;
}

export interface PlantedWithdrawal {
  readonly user: UserId;
  /** Minutes since noon. */
  readonly minute?: number;
  readonly atoms?: bigint;
  readonly state?: string;
  readonly currency?: string;
  readonly balance?: bigint;
  /** Without one there is no price. */
  readonly price?: string;
}

export class SurveillanceForTest {
  readonly pool: Pool;
  readonly connection: OwnConnection;
  readonly close: () => Promise<void>;
  #number = 0;

  static async open(): Promise<SurveillanceForTest> {
    const tables = await openRegistryForTest();
    await migrate(await tables.connection(), SCHEMA, readProjectionMigrations());
    const test = new SurveillanceForTest(tables.pool, await tables.connection(), tables.close);
    for (const text of [
      `insert into ${SCHEMA}.assets values (1, 'btc', 8, 1, now()), (2, 'usdt', 6, 1, now()),
         (3, 'eth', 8, 1, now())`,
      ...['btc-usdt', 'eth-usdt'].map(
        (name, at) => `insert into ${SCHEMA}.markets (id, name, base_id, quote_id, lot_atoms,
          tick_mantissa, tick_scale, tick_lot_atoms, min_price_ticks, max_price_ticks,
          min_size_lots, max_size_lots, reference_ticks, status, listed_at, updated_at)
          values (${at + 1}, '${name}', 1, 2, 1, 1, 0, 1, 1, 9, 1, 9, 1, 'full', now(), now())`,
      ),
      `create table ${SCHEMA}.all_orders partition of ${SCHEMA}.orders default`,
      `insert into ${SCHEMA}.projection values
         (true, 1, decode(repeat('00', 32), 'hex'), 1, 0, true, 0, now(), 1000)`,
    ]) {
      await tables.pool.query(text);
    }
    return test;
  }

  constructor(pool: Pool, connection: OwnConnection, close: () => Promise<void>) {
    this.pool = pool;
    this.connection = connection;
    this.close = close;
  }

  async empty(): Promise<void> {
    const registry = [
      'findings',
      'transfer_changes',
      'withdrawal_requests',
      'deposit_requests',
      'logins',
    ];
    const projected = ['orders', 'prevented_orders', 'minutes', 'user_groups'];
    for (const table of [...registry, ...projected.map((name) => `${SCHEMA}.${name}`)]) {
      await this.pool.query(`delete from ${table}`);
    }
    await this.pool.query('update surveillance_rules set checked_to = null, is_on = true');
    this.#number = 0;
  }

  async user(parent?: UserId): Promise<UserId> {
    const user = await makeUser(this.pool);
    if (parent !== undefined) {
      const text = `update users set kind = 'sub', parent_id = $2 where id = $1`;
      await this.pool.query(text, [user, parent]);
    }
    return user;
  }

  /** Inserts orders of one minute, and the rows that the projector writes with them. */
  async orders(order: PlantedOrder): Promise<void> {
    const { count = 1, filledLots = 0, market = 1, minute = 0, reason, user } = order;
    const at = timeAt(minute);
    const first = this.#number + 1;
    this.#number += count;
    const closed = reason ?? null;
    await this.pool.query(
      `insert into ${SCHEMA}.orders (number, user_id, key_id, market_id, side, type,
         time_in_force, self_trade, post_only, quick, price_ticks, size_lots, stop_ticks,
         maker_fee_ppm, taker_fee_ppm, filled_lots, filled_quote_atoms, fee_atoms, status,
         close_reason, client_order_id, note, created_at, created_frame, updated_at, updated_frame)
       select n, $1, 0, $2, 'buy', 'limit', 'GTC', 'cancel_newest', false, false, 1, 9, 0, 0, 0,
         $3, 0, 0, case when $4::text is null then 'new' else 'canceled' end, $4, '', '', $5, 1,
         $5, 1 from generate_series($6::bigint, $7::bigint) n`,
      [user, market, filledLots, closed, at, first, this.#number],
    );
    await this.pool.query(
      `insert into ${SCHEMA}.minutes values (date_trunc('minute', $1::timestamptz), $2)
       on conflict do nothing`,
      [at, first],
    );
    if (closed !== 'self_trade_prevented' && closed !== 'price_outside_band') return;
    await this.pool.query(
      `insert into ${SCHEMA}.prevented_orders select n, $1, $2, $3, $4
       from generate_series($5::bigint, $6::bigint) n`,
      [user, market, closed, at, first, this.#number],
    );
  }

  /** They all count as one. */
  async group(users: readonly UserId[], { group = 7, isHouse = false } = {}): Promise<void> {
    for (const user of users) {
      await this.pool.query(`insert into ${SCHEMA}.user_groups values ($1, $2, $3, now())`, [
        user,
        group,
        isHouse,
      ]);
    }
  }

  async withdrawal(planted: PlantedWithdrawal): Promise<number> {
    const {
      atoms = 100n,
      currency = 'btc',
      minute = 0,
      price,
      state = 'in_review',
      user,
    } = planted;
    const { balance } = planted;
    const input = {
      balanceAtoms: balance === undefined ? null : `${balance}`,
      values: price === undefined ? {} : { [currency]: price },
      settings: { currency: 'usdt' },
    };
    const { rows } = await this.pool.query(
      `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
         policy_input, created_at, updated_at)
       values ('withdrawal', $1, 1, $2, 2, $3, 1, 'btc', 2, 0, 'a', 'btc', gen_random_uuid(), $4,
         $5, $6, $6) returning id`,
      [user, currency, atoms, state, JSON.stringify(input), timeAt(minute)],
    );
    return Number(rows[0].id);
  }

  async deposit(user: UserId, minute: number, state = 'completed'): Promise<number> {
    const { rows } = await this.pool.query(
      `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         address, transaction_id, state, updated_at)
       values ('deposit', $1, 1, 'btc', 2, 100, '', gen_random_uuid(), $2, $3) returning id`,
      [user, state, timeAt(minute)],
    );
    return Number(rows[0].id);
  }

  async login(user: UserId, minute: number, country: string, outcome = 'success') {
    const { rows } = await this.pool.query(
      `insert into logins (user_id, email_mac, outcome, ip, country, created_at)
       values ($1, '', $2, '', $3, $4) returning id`,
      [user, outcome, country, timeAt(minute)],
    );
    return Number(rows[0].id);
  }

  async set(rule: RuleName, parameters: Readonly<Record<string, number>>): Promise<void> {
    await this.pool.query(
      'update surveillance_rules set parameters = parameters || $2::jsonb where rule = $1',
      [rule, JSON.stringify(parameters)],
    );
  }

  /** Runs as of this many minutes after noon. */
  async run(minute: number): Promise<number> {
    const at = timeAt(minute);
    await this.pool.query(`update ${SCHEMA}.projection set projected_to = $1`, [at]);
    return runSurveillance(this.connection, { nowMs: at.getTime(), projectionSchema: SCHEMA });
  }

  /** `rule user object score`, in this order. */
  async found(): Promise<string[]> {
    const { rows } = await this.pool.query(
      'select rule, user_id, object, score from findings order by rule, user_id, object, id',
    );
    return rows.map(({ object, rule, score, user_id }) => `${rule} ${user_id} ${object} ${score}`);
  }

  /** All evidence, in order of time. */
  async evidence(): Promise<Record<string, unknown>[]> {
    const { rows } = await this.pool.query(
      'select content from finding_evidence order by seen_at, key',
    );
    return rows.map(({ content }) => content);
  }
}

export function timeAt(minute: number): Date {
  return new Date(NOON + minute * MINUTE_MS);
}
