// Creates operators on a real registry, with roles, second factors and sessions, and two actions
// that write a note. Only tests import it.

import { randomBytes } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import type { Pool, Statements } from '../../infra/postgres/index.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { activateTotp, requestTotp, totpCode } from '../auth/index.ts';
import { makeUser, openRegistryForTest, vault } from '../auth/registry-for-test.ts';
import { type Act, defineAct, type Operator } from './act.ts';
import { type ActTable, readApproval, type Vote, voteOn } from './approvals.ts';
import { type ActPorts, performAct } from './perform-act.ts';
import { isPower } from './powers.ts';

export interface OperatorForTest extends Operator {
  readonly secret: string;
}

type Note = { readonly user: number; readonly note: string };
type Payment = { readonly user: number; readonly amount: string; readonly currency: string };

/** Writes a note on a user; needs as many approvals as the note states. */
export const NOTE_ACT = defineAct({
  name: 'test.note',
  votePower: 'approve.access',
  prepare: async ({ connection }, { note, user }: Note) => {
    const { rows } = await connection.query('select note from users where id = $1', [user]);
    return {
      object: `user ${user}`,
      objectVersion: rows[0].note,
      approvals: note.startsWith('two') ? 2 : note.startsWith('one') ? 1 : 0,
      beneficiaries: [],
      shown: [{ label: 'Note', value: note }],
      run: async () => {
        await connection.query('update users set note = $2 where id = $1', [user, note]);
        return { result: { note }, subject: user as UserId, after: { note } };
      },
    };
  },
});

/** Pays nothing, but has a value. */
export const PAY_ACT = defineAct({
  name: 'test.pay',
  votePower: 'approve.money',
  prepare: async (_, { amount, currency, user }: Payment) => ({
    object: `user ${user}`,
    objectVersion: '',
    approvals: 0,
    money: { amount, currency },
    beneficiaries: [user as UserId],
    shown: [{ label: 'Amount', value: `${amount} ${currency}` }],
    run: async () => ({ result: { paid: amount } }),
  }),
});

// biome-ignore lint/suspicious/noExplicitAny: acts with different payloads.
export const TEST_ACTS: ActTable = new Map<string, Act<any, any>>([
  [NOTE_ACT.name, NOTE_ACT],
  [PAY_ACT.name, PAY_ACT],
]);

/** Requires approvals, however many administrators there are. */
export async function useTeam(statements: Statements): Promise<void> {
  await statements.query(`update exchange_control set mode = 'team', solo_from = null`);
}

/** Skips the 24 hours of a notice. */
export async function useSolo(statements: Statements): Promise<void> {
  await statements.query('alter table exchange_control disable trigger keep_team');
  await statements.query(`update exchange_control set mode = 'solo', solo_from = null`);
  await statements.query('alter table exchange_control enable trigger keep_team');
}

/** Part of the projected tables with prices: no market, only references. */
const PROJECTION = [
  'create table projection.assets (id bigint, symbol text, scale bigint)',
  `create table projection.markets (id bigint, name text, base_id bigint, quote_id bigint,
     tick_mantissa bigint, tick_scale bigint, status text)`,
];

export class OperatorStage {
  readonly pool: Pool;
  readonly clock = new FakeClock(Date.now());
  readonly ports: ActPorts;
  readonly close: () => Promise<void>;

  static async open(): Promise<OperatorStage> {
    const { close, pool } = await openRegistryForTest();
    await pool.query('create schema projection');
    for (const text of PROJECTION) await pool.query(text);
    return new OperatorStage(pool, close);
  }

  private constructor(pool: Pool, close: () => Promise<void>) {
    this.pool = pool;
    this.close = close;
    this.ports = {
      registry: pool,
      vault,
      clock: this.clock,
      exchange: { name: 'Rialto', projectionSchema: 'projection' },
    };
  }

  /** Creates an operator with a second factor and, by default, a role that is two days old. */
  async operator(role = 'admin', { roleAgeMs = 2 * 86_400_000 } = {}): Promise<OperatorForTest> {
    const user = await makeUser(this.pool, { role });
    const since = new Date(this.clock.nowMs() - roleAgeMs);
    await this.pool.query('update users set role_since = $2 where id = $1', [user, since]);
    const requested = await requestTotp(this.pool, vault, { user, nowMs: this.clock.nowMs() });
    if (requested instanceof Refused) throw new Error(requested.key);
    const { secret } = requested;
    const code = totpCode(secret, this.clock.nowMs());
    await activateTotp(this.pool, vault, { user, code, nowMs: this.clock.nowMs() });
    this.clock.advance(60_000);
    const session = await this.#session(user, role);
    return { ...(await this.#read(user)), session, credential: `session ${session}`, secret };
  }

  /** Creates three administrators in team mode. */
  async administrators(): Promise<readonly [OperatorForTest, OperatorForTest, OperatorForTest]> {
    await useTeam(this.pool);
    return [await this.operator(), await this.operator(), await this.operator()];
  }

  user(): Promise<UserId> {
    return makeUser(this.pool);
  }

  /** Returns the same operator with an API key. */
  async key(operator: OperatorForTest): Promise<OperatorForTest> {
    const { rows } = await this.pool.query(
      `insert into api_keys (user_id, name, public_key, kind, sealed, kek_id, expires_at, role)
       values ($1, 'bot', $2, 'hmac', '', 1, now() + interval '1 day', 'admin') returning id`,
      [operator.user, randomBytes(20).toString('hex')],
    );
    return { ...operator, credential: `key ${rows[0].id}`, session: 0 };
  }

  /** Trusts the key with this limit, without approval. */
  async grant({ credential, user }: Operator, dailyLimit: string): Promise<void> {
    await this.pool.query(
      'insert into key_grants (key_id, daily_limit, granted_by) values ($1, $2, $3)',
      [credential.slice('key '.length), dailyLimit, user],
    );
  }

  note(operator: Operator, user: UserId, note: string) {
    return performAct(this.ports, operator, NOTE_ACT, { user, note });
  }

  pay(operator: Operator, user: UserId, amount: string, currency = 'usdt') {
    return performAct(this.ports, operator, PAY_ACT, { user, amount, currency });
  }

  /** Returns the request's state after the vote, or the rejection. */
  async vote(
    voter: OperatorForTest,
    id: number,
    change: Partial<Vote> = {},
    acts: ActTable = TEST_ACTS,
  ): Promise<string> {
    this.clock.advance(60_000);
    const row = await readApproval(this.pool, id);
    const nowMs = this.clock.nowMs();
    const vote: Vote = {
      approval: id,
      vote: 'approve',
      payloadHash: row?.payloadHash ?? randomBytes(32).toString('hex'),
      otpCode: totpCode(voter.secret, nowMs),
      retyped: row?.retype ?? undefined,
      ...change,
    };
    const { session, user } = voter;
    const circumstances = { time: '', ip: '192.0.2.1', country: '', device: '', freezeToken: '' };
    const act = { user, flow: { network: '192.0.2.1', session }, circumstances, nowMs };
    const voted = await voteOn(this.ports, acts, act, vote);
    return voted instanceof Refused ? voted.key : voted.approval.state;
  }

  async #session(user: UserId, role: string): Promise<number> {
    const { rows } = await this.pool.query(
      `insert into sessions (user_id, token_hash, scopes, expires_at, security_version)
       select id, $2, $3, now() + interval '30 days', security_version from users where id = $1
       returning id`,
      [user, randomBytes(32), ['user', role]],
    );
    return Number(rows[0].id);
  }

  async #read(user: UserId): Promise<Operator> {
    const { rows } = await this.pool.query(
      `select u.role, r.powers, r.permissions from users u join roles r on r.name = u.role
       where u.id = $1`,
      [user],
    );
    const [{ permissions, powers, role }] = rows;
    return {
      user,
      role,
      powers: new Set((powers as string[]).filter(isPower)),
      permissions: new Set(permissions as string[]),
      call: permissions[0],
      credential: '',
      session: 0,
      address: '192.0.2.1',
    };
  }
}
