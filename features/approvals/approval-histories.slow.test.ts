// Tests all short histories of two requests and three operators against a simple model: every
// interleaving up to a depth, and random longer ones. Each history runs in savepoints.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import type { Connection, Pool } from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { totpCode } from '../auth/index.ts';
import { type ApprovalRow, readApproval, voteOn, withdrawApproval } from './approvals.ts';
import {
  NOTE_ACT,
  type OperatorForTest,
  OperatorStage,
  PAY_ACT,
  TEST_ACTS,
} from './operators-for-test.ts';
import { type ActPorts, performAct } from './perform-act.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const EXHAUSTIVE_STEPS = 3;
const RANDOM_STEPS = 9;
const RANDOM_MS = 4_000;
const SEED = Number(process.env.RIALTO_SEED ?? Date.now() % 1_000_000);

type Name = 'note' | 'pay';
type Person = 0 | 1 | 2;
type Step =
  | { readonly do: 'request' | 'withdraw'; readonly name: Name }
  | { readonly do: 'approve' | 'reject'; readonly name: Name; readonly by: Person }
  | { readonly do: 'lose role' | 'get role'; readonly by: Person }
  | { readonly do: 'revoke key' | 'pass a day' | 'lower thresholds' };

/** The first operator requests the note with a key, the second the payment in a session. */
const REQUESTERS: Readonly<Record<Name, Person>> = { note: 0, pay: 1 };
const STEPS: readonly Step[] = [
  { do: 'request', name: 'note' },
  { do: 'request', name: 'pay' },
  { do: 'approve', name: 'note', by: 0 },
  { do: 'approve', name: 'note', by: 1 },
  { do: 'approve', name: 'note', by: 2 },
  { do: 'approve', name: 'pay', by: 0 },
  { do: 'approve', name: 'pay', by: 1 },
  { do: 'approve', name: 'pay', by: 2 },
  { do: 'reject', name: 'note', by: 2 },
  { do: 'reject', name: 'pay', by: 0 },
  { do: 'withdraw', name: 'note' },
  { do: 'lose role', by: 0 },
  { do: 'lose role', by: 2 },
  { do: 'get role', by: 2 },
  { do: 'revoke key' },
  { do: 'pass a day' },
  { do: 'lower thresholds' },
];

interface ModelRequest {
  readonly state: string;
  readonly needed: number;
  readonly atMs: number;
  readonly votes: readonly { readonly by: Person; readonly atMs: number }[];
}

interface Model {
  readonly nowMs: number;
  /** When each operator got the role; undefined without it. */
  readonly roles: readonly (number | undefined)[];
  readonly hasKey: boolean;
  readonly isLow: boolean;
  readonly requests: Readonly<Partial<Record<Name, ModelRequest>>>;
}

function isPossible({ requests, roles }: Model, step: Step): boolean {
  switch (step.do) {
    case 'request':
      return requests[step.name] === undefined;
    case 'lose role':
      return roles[step.by] !== undefined;
    case 'get role':
      return roles[step.by] === undefined;
    default:
      return !('name' in step) || requests[step.name] !== undefined;
  }
}

/** Returns the same object if the step is rejected. */
function next(model: Model, step: Step): Model {
  const { isLow, requests, roles } = model;
  switch (step.do) {
    case 'request': {
      if (roles[REQUESTERS[step.name]] === undefined) return model;
      const needed = step.name === 'note' || isLow ? 2 : 1;
      const made = { state: 'pending', needed, atMs: model.nowMs, votes: [] };
      return { ...model, requests: { ...requests, [step.name]: made } };
    }
    case 'approve':
    case 'reject':
      return { ...model, requests: voted(model, step.name, step) };
    case 'withdraw': {
      const request = requests[step.name]!;
      if (!isOpen(model, request)) return model;
      return {
        ...model,
        requests: { ...requests, [step.name]: { ...request, state: 'withdrawn' } },
      };
    }
    case 'lose role':
      return { ...model, roles: roles.with(step.by, undefined) };
    case 'get role':
      return { ...model, roles: roles.with(step.by, model.nowMs) };
    case 'revoke key':
      return { ...model, hasKey: false };
    case 'pass a day':
      return { ...model, nowMs: model.nowMs + DAY_MS };
    case 'lower thresholds':
      return { ...model, isLow: true };
  }
}

function isOpen({ nowMs }: Model, { atMs, state }: ModelRequest): boolean {
  return state === 'pending' && nowMs < atMs + DAY_MS;
}

function voted(
  model: Model,
  name: Name,
  step: { readonly do: 'approve' | 'reject'; readonly by: Person },
): Model['requests'] {
  const { hasKey, isLow, nowMs, requests, roles } = model;
  const request = requests[name]!;
  const since = roles[step.by];
  const isOwn = step.by === REQUESTERS[name];
  const hasVoted = request.votes.some(({ by }) => by === step.by);
  const isNew = since === undefined || since > nowMs - DAY_MS;
  if (!isOpen(model, request) || isOwn || hasVoted || isNew) return requests;
  if (step.do === 'reject') return { ...requests, [name]: { ...request, state: 'rejected' } };
  const votes = [...request.votes, { by: step.by, atMs: nowMs }];
  const counted = votes.filter(({ atMs, by }) => (roles[by] ?? Infinity) <= atMs).length;
  const needed = name === 'note' || isLow ? 2 : 1;
  const isTrusted =
    (roles[REQUESTERS[name]] ?? Infinity) <= request.atMs && (name === 'pay' || hasKey);
  const decided = isTrusted && counted >= needed ? 'executed' : 'stale';
  const state = counted < request.needed ? 'pending' : decided;
  return { ...requests, [name]: { ...request, votes, state } };
}

/** The code under test: transactions are savepoints in one that never ends. */
class Exchange {
  readonly #stage: OperatorStage;
  readonly #connection: Connection;
  readonly #people: readonly OperatorForTest[];
  readonly #key: number;
  readonly #user: UserId;
  readonly #ids = new Map<Name, number>();
  #levels = 0;
  #nowMs = 0;

  constructor(
    stage: OperatorStage,
    connection: Connection,
    made: { people: readonly OperatorForTest[]; key: number; user: UserId },
  ) {
    this.#stage = stage;
    this.#connection = connection;
    this.#people = made.people;
    this.#key = made.key;
    this.#user = made.user;
  }

  query(text: string, values?: unknown[]) {
    if (text === 'begin') return this.#connection.query(`savepoint level${++this.#levels}`);
    const level = `level${this.#levels}`;
    if (text === 'commit') {
      this.#levels -= 1;
      return this.#connection.query(`release savepoint ${level}`);
    }
    if (text === 'rollback') {
      this.#levels -= 1;
      return this.#connection.query(`rollback to savepoint ${level}; release savepoint ${level}`);
    }
    return this.#connection.query(text, values);
  }

  get #ports(): ActPorts {
    const connection = { query: this.query.bind(this), release: () => {} };
    const registry = { query: connection.query, connect: async () => connection };
    const clock = { nowMs: () => this.#nowMs } as Clock;
    return { ...this.#stage.ports, registry: registry as unknown as Pool, clock };
  }

  /** Rejections change nothing. */
  async take(step: Step, nowMs: number): Promise<void> {
    this.#nowMs = nowMs;
    await this.#take(step);
  }

  async #take(step: Step): Promise<unknown> {
    switch (step.do) {
      case 'request':
        return this.#request(step.name);
      case 'approve':
      case 'reject':
        return this.#vote(this.#people[step.by], this.#ids.get(step.name)!, step.do);
      case 'withdraw':
        return withdrawApproval(this.#ports, this.#people[0], this.#ids.get(step.name)!);
      case 'lose role':
        return this.query('update users set role = null where id = $1', [
          this.#people[step.by].user,
        ]);
      case 'get role':
        await this.query(`update users set role = 'admin' where id = $1`, [
          this.#people[step.by].user,
        ]);
        return this.query('update users set role_since = $2 where id = $1', [
          this.#people[step.by].user,
          new Date(this.#nowMs),
        ]);
      case 'revoke key':
        return this.query('update api_keys set revoked = true where id = $1', [this.#key]);
      case 'pass a day':
        return undefined;
      case 'lower thresholds':
        return this.query(
          'update exchange_control set one_approval_from = 1, two_approvals_from = 10',
        );
    }
  }

  async #request(name: Name): Promise<void> {
    const operator = this.#people[REQUESTERS[name]];
    const user = this.#user;
    const performed =
      name === 'note'
        ? await performAct(this.#ports, { ...operator, credential: `key ${this.#key}` }, NOTE_ACT, {
            user,
            note: 'two of you',
          })
        : await performAct(this.#ports, operator, PAY_ACT, {
            user,
            amount: '1500',
            currency: 'usdt',
          });
    if (performed.kind === 'refused') return;
    assert.ok(performed.kind === 'waiting');
    this.#ids.set(name, performed.approval);
  }

  async #vote({ secret, session, user }: OperatorForTest, id: number, vote: 'approve' | 'reject') {
    const { payloadHash, retype } = (await this.read(id))!;
    const nowMs = this.#nowMs;
    const circumstances = { time: '', ip: '', country: '', device: '', freezeToken: '' };
    const voter = { user, flow: { network: '', session }, circumstances, nowMs };
    const otpCode = totpCode(secret, nowMs);
    const sent = { approval: id, vote, payloadHash, otpCode, retyped: retype ?? undefined };
    return voteOn(this.#ports, TEST_ACTS, voter, sent);
  }

  read(id: number): Promise<ApprovalRow | undefined> {
    return readApproval(this as never, id);
  }

  async states(model: Model): Promise<Partial<Record<Name, string>>> {
    const found: Partial<Record<Name, string>> = {};
    for (const name of Object.keys(model.requests) as Name[]) {
      found[name] = (await this.read(this.#ids.get(name)!))?.state ?? 'missing';
    }
    return found;
  }

  /** How often an action was done. */
  async executions(): Promise<number> {
    const { rows } = await this.query(
      `select count(*) from audit_entries where act in ('test.note', 'test.pay')`,
    );
    return Number(rows[0].count);
  }
}

let stage: OperatorStage;
let exchange: Exchange;
let start: Model;
let histories = 0;
let end: () => Promise<void> = async () => {};

before(async () => {
  stage = await OperatorStage.open();
  const people = await stage.administrators();
  await stage.pool.query(
    `insert into coins (symbol, fullname, estimated_price) values ('usdt', 'Tether', 1)`,
  );
  const { rows } = await stage.pool.query(
    `insert into api_keys (user_id, name, public_key, kind, sealed, kek_id, expires_at)
     values ($1, 'bot', repeat('a', 40), 'hmac', '', 1, now() + interval '1 day') returning id`,
    [people[0].user],
  );
  const connection = await stage.pool.connect();
  end = async () => {
    await connection.query('rollback');
    connection.release();
  };
  await connection.query('begin');
  const made = { people, key: Number(rows[0].id), user: await stage.user() };
  exchange = new Exchange(stage, connection, made);
  const nowMs = stage.clock.nowMs();
  const since = nowMs - 2 * DAY_MS;
  start = { nowMs, roles: [since, since, since], hasKey: true, isLow: false, requests: {} };
  await connection.query('update users set role_since = $1 where role is not null', [
    new Date(since),
  ]);
});
after(async () => {
  await end();
  await stage.close();
});

/** Makes the step and compares; the caller has set a savepoint. */
async function follow(model: Model, history: readonly Step[]): Promise<Model> {
  const step = history.at(-1)!;
  const later = { ...model, nowMs: model.nowMs + MINUTE_MS };
  await exchange.take(step, later.nowMs);
  const expected = next(later, step);
  const states = Object.entries(expected.requests).map(([name, { state }]) => [name, state]);
  const text = JSON.stringify(history);
  assert.deepEqual(await exchange.states(expected), Object.fromEntries(states), text);
  const done = states.filter(([, state]) => state === 'executed').length;
  assert.equal(await exchange.executions(), done, text);
  histories += 1;
  return expected;
}

async function followAll(model: Model, history: readonly Step[], depth: number): Promise<void> {
  if (depth === 0) return;
  for (const step of STEPS.filter((one) => isPossible(model, one))) {
    await exchange.query('begin');
    const longer = [...history, step];
    await followAll(await follow(model, longer), longer, depth - 1);
    await exchange.query('rollback');
  }
}

/** Small seeded generator for repeatable runs. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('approvals match the model in every short history', async () => {
  await followAll(start, [], EXHAUSTIVE_STEPS);
  console.log({ depth: EXHAUSTIVE_STEPS, histories });
});

test('approvals match the model in random longer histories', async () => {
  const random = randomOf(SEED);
  const endMs = Date.now() + RANDOM_MS;
  histories = 0;
  while (Date.now() < endMs) {
    await exchange.query('begin');
    let model = start;
    const history: Step[] = STEPS.slice(0, 2);
    model = await follow(model, history.slice(0, 1));
    model = await follow(model, history);
    while (history.length < RANDOM_STEPS) {
      const possible = STEPS.filter((one) => isPossible(model, one));
      history.push(possible[Math.floor(random() * possible.length)]);
      model = await follow(model, history);
    }
    await exchange.query('rollback');
  }
  console.log({ seed: SEED, steps: RANDOM_STEPS, histories });
});
