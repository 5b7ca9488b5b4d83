// Tests findings on a real PostgreSQL: evidence is merged, a closed finding stays closed, operators
// take and close findings one at a time, and loosening a rule needs approval.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type Act, performAct } from '../approvals/index.ts';
import { type OperatorForTest, OperatorStage } from '../approvals/operators-for-test.ts';
import { vault } from '../auth/registry-for-test.ts';
import {
  CLOSE_FINDING,
  REOPEN_FINDING,
  SET_RULE,
  SURVEILLANCE_ACTS,
  TAKE_FINDING,
} from './admin.ts';
import { findingList } from './finding-list.ts';
import {
  EVIDENCE_MAX,
  type Finding,
  readEvidence,
  readFinding,
  readNote,
  recordSigns,
} from './findings.ts';
import type { Sign } from './rule.ts';
import { readRules } from './surveillance.ts';

const HOUR_MS = 3_600_000;
const RULE = { name: 'price_band', parameters: { quiet_hours: 24 } } as const;
const NOBODY = 0 as UserId;
// biome-ignore lint/suspicious/noExplicitAny: acts with different payloads.
type AnyAct = Act<any, any, any>;
const ACTS = new Map<string, AnyAct>(SURVEILLANCE_ACTS.map((act) => [act.name, act]));

let stage: OperatorStage;
let admins: readonly [OperatorForTest, OperatorForTest, OperatorForTest];
let user: UserId;

/** A window that began this many hours from now. */
function signAt(hours: number, change: Partial<Sign> = {}): Sign {
  const begunAt = new Date(Math.floor(stage.clock.nowMs() / HOUR_MS + hours) * HOUR_MS);
  const key = begunAt.toISOString();
  return {
    user,
    object: 'market btc-usdt',
    key,
    begunAt,
    score: 100,
    content: { hits: 3 },
    ...change,
  };
}

async function record(...signs: Sign[]): Promise<number> {
  return withClient((connection) =>
    inTransaction(connection, () => recordSigns(connection, RULE, signs)),
  );
}

async function withClient<Result>(work: (connection: Connection) => Promise<Result>) {
  const client = await stage.pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function findings(): Promise<Finding[]> {
  const { rows } = await stage.pool.query(
    'select id from findings where user_id = $1 order by id',
    [user],
  );
  return Promise.all(
    rows.map(async ({ id }) => (await readFinding(stage.pool, Number(id), NOBODY))!),
  );
}

async function newFinding(): Promise<number> {
  await record(signAt(-1));
  return (await findings())[0].id;
}

/** Returns the outcome: `done`, `waiting`, or the rejection. */
async function act(operator: OperatorForTest, one: AnyAct, payload: object): Promise<string> {
  stage.clock.advance(1_000);
  const performed = await performAct(stage.ports, operator, one, payload);
  return performed instanceof Refused ? performed.key : performed.kind;
}

const take = (operator: OperatorForTest, id: number) => act(operator, TAKE_FINDING, { id });
const close = (operator: OperatorForTest, id: number, result = 'no_issue', note = '') =>
  act(operator, CLOSE_FINDING, { id, result, note });
const reopen = (operator: OperatorForTest, id: number) => act(operator, REOPEN_FINDING, { id });

describe('findings', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admins = await stage.administrators();
  });
  after(() => stage.close());
  beforeEach(async () => {
    user = await stage.user();
  });

  test('similar evidence is added and raises the score', async () => {
    assert.equal(await record(signAt(-5)), 1);
    assert.equal(await record(signAt(-5), signAt(-4, { score: 150 })), 1);
    const [{ evidenceCount, firstSeenAt, lastSeenAt, score, state }, ...others] = await findings();
    assert.deepEqual([others.length, state, score, evidenceCount], [0, 'open', 250, 2]);
    assert.deepEqual([firstSeenAt, lastSeenAt], [signAt(-5).begunAt, signAt(-4).begunAt]);
  });

  test('growing evidence replaces its earlier version', async () => {
    await record(signAt(-1));
    assert.equal(await record(signAt(-1)), 0, 'the same evidence changes nothing');
    assert.equal(await record(signAt(-1, { score: 300, content: { hits: 9 } })), 1);
    const [{ evidenceCount, id, score }] = await findings();
    assert.deepEqual([score, evidenceCount], [300, 1]);
    assert.deepEqual((await readEvidence(stage.pool, id))[0].content, { hits: 9 });
  });

  test('the newest evidence is kept', async () => {
    const count = EVIDENCE_MAX + 5;
    for (let at = 0; at < count; at++) await record(signAt(at - 2 * count));
    const [{ evidenceCount, id, score }] = await findings();
    assert.deepEqual([evidenceCount, score], [EVIDENCE_MAX, EVIDENCE_MAX * 100]);
    const evidence = await readEvidence(stage.pool, id);
    assert.deepEqual(evidence[0].seenAt, signAt(count - 1 - 2 * count).begunAt);
    assert.equal(await record(signAt(-2 * count)), 0, 'old evidence is not added again');
  });

  test('other objects and other users have their own findings', async () => {
    await record(signAt(-1), signAt(-1, { object: 'market eth-usdt' }));
    assert.equal((await findings()).length, 2);
    user = await stage.user();
    await record(signAt(-1));
    assert.equal((await findings()).length, 1);
  });

  test('a user missing in the registry is left out', async () => {
    assert.equal(await record(signAt(-1, { user: 999_999_999 as UserId })), 0);
  });

  test('two concurrent runs create one finding', async () => {
    const runs = Array.from({ length: 8 }, (_, at) => record(signAt(-at - 1)));
    await Promise.all(runs);
    const found = await findings();
    assert.deepEqual(
      found.map(({ score }) => score),
      [800],
    );
  });

  test('closed evidence reopens nothing, later evidence does', async () => {
    const id = await newFinding();
    await take(admins[0], id);
    assert.equal(await close(admins[0], id), 'done');
    assert.equal(await record(signAt(-1), signAt(23)), 0, 'within the quiet hours');
    assert.equal(await record(signAt(-1), signAt(25)), 1);
    const [, next] = await findings();
    assert.deepEqual([next.state, next.score], ['open', 100], 'without the evidence of the first');
  });

  test('of operators who claim concurrently, one gets the finding', async () => {
    const id = await newFinding();
    const outcomes = await Promise.all(admins.map((operator) => take(operator, id)));
    assert.deepEqual(outcomes.toSorted(), ['done', 'finding_taken', 'finding_taken']);
    const winner = admins[outcomes.indexOf('done')];
    assert.equal((await findings())[0].takenBy, winner.user);
    assert.equal(await take(winner, id), 'done', 'again');
  });

  test('only the operator who claimed a finding can close it', async () => {
    const id = await newFinding();
    assert.equal(await close(admins[0], id), 'finding_not_taken');
    await take(admins[0], id);
    assert.equal(await close(admins[1], id), 'finding_not_taken');
    assert.equal(await reopen(admins[1], id), 'done');
    assert.equal(await close(admins[0], id), 'finding_not_taken');
    await take(admins[1], id);
    assert.equal(await close(admins[1], id, 'warned'), 'done');
    assert.equal(await take(admins[0], id), 'finding_closed');
    const [{ result, state }] = await findings();
    assert.deepEqual([state, result], ['closed', 'warned']);
  });

  test('a closed finding is reopened, unless another continues it', async () => {
    const id = await newFinding();
    await take(admins[0], id);
    await close(admins[0], id);
    assert.equal(await reopen(admins[0], id), 'done');
    assert.equal(await reopen(admins[0], id), 'finding_open');
    await take(admins[0], id);
    await close(admins[0], id);
    await record(signAt(30));
    assert.equal(await reopen(admins[0], id), 'finding_continued');
  });

  test('the result frozen requires a frozen account', async () => {
    const id = await newFinding();
    await take(admins[0], id);
    assert.equal(await close(admins[0], id, 'frozen'), 'finding_user_not_frozen');
    await stage.pool.query(`update users set state = 'frozen' where id = $1`, [user]);
    assert.equal(await close(admins[0], id, 'frozen'), 'done');
  });

  test("a note is sealed with the user's key, and the audit log has it sealed", async () => {
    const id = await newFinding();
    await take(admins[0], id);
    await close(admins[0], id, 'reported', 'Anna Rossi asked for it.');
    const [finding] = await findings();
    assert.ok(finding.hasNote);
    assert.equal(await readNote(stage.pool, vault, finding), 'Anna Rossi asked for it.');
    for (const table of ['findings', 'audit_entries']) {
      const { rows } = await stage.pool.query(
        `select from ${table} t where t::text like '%Rossi%'
           or encode(convert_to(t::text, 'utf8'), 'escape') like '%Rossi%'`,
      );
      assert.equal(rows.length, 0, table);
    }
    await stage.pool.query(
      `update personal_keys set kek_id = null, sealed = null, destroyed_at = now()
       where user_id = $1`,
      [user],
    );
    assert.equal(await readNote(stage.pool, vault, finding), undefined, 'erased');
  });

  test('operators neither see nor change findings about their own family', async () => {
    const subject = await stage.operator();
    user = subject.user;
    const id = await newFinding();
    const list = findingList({ reader: subject.user });
    const { rows } = await stage.pool.query(list.rows('order by f.id'), [...list.values, 100, 0]);
    assert.ok(!rows.some((row) => Number(row.id) === id));
    assert.equal(await readFinding(stage.pool, id, subject.user), undefined);
    assert.equal(await take(subject, id), 'finding_not_found');
    assert.notEqual(await readFinding(stage.pool, id, admins[0].user), undefined);
  });

  test('an operator who shares a device cannot review', async () => {
    const id = await newFinding();
    for (const one of [user, admins[2].user]) {
      await stage.pool.query(
        `insert into devices (user_id, network, browser_hash) values ($1, '192.0.2.0', $2)`,
        [one, Buffer.alloc(32, 7)],
      );
    }
    assert.equal(await take(admins[2], id), 'finding_not_independent');
  });

  test('the queue is filtered', async () => {
    const id = await newFinding();
    await record(signAt(-1, { object: 'market eth-usdt', score: 500 }));
    const ids = async (filter: Omit<Parameters<typeof findingList>[0], 'reader'>) => {
      const list = findingList({ reader: NOBODY, user, ...filter });
      const order = `order by ${list.defaultSort.map((column) => `${column} desc`).join(', ')}`;
      const { rows } = await stage.pool.query(list.rows(order), [...list.values, 100, 0]);
      const counted = await stage.pool.query(list.count, [...list.values, 100]);
      assert.equal(Number(counted.rows[0].count), rows.length);
      return rows.map((row) => Number(row.id) - id);
    };
    assert.deepEqual(await ids({}), [1, 0], 'highest score first');
    await take(admins[0], id);
    assert.deepEqual(await ids({ state: 'open' }), [1]);
    assert.deepEqual(await ids({ state: 'under_way' }), [1, 0]);
    assert.deepEqual(await ids({ takenBy: admins[0].user }), [0]);
    await close(admins[0], id, 'warned');
    assert.deepEqual(await ids({ state: 'closed', result: 'warned' }), [0]);
    assert.deepEqual(await ids({ rule: 'self_trade' }), []);
    assert.deepEqual(await ids({ from: new Date(stage.clock.nowMs() + HOUR_MS) }), []);
  });
});

describe('rule parameters', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admins = await stage.administrators();
  });
  after(() => stage.close());

  const start = { window_minutes: 60, hits_min: 3, quiet_hours: 24 };
  const set = (parameters: object, isOn = true) =>
    act(admins[0], SET_RULE, { rule: 'price_band', isOn, parameters: { ...start, ...parameters } });
  const now = async () => (await readRules(stage.pool)).find(({ name }) => name === 'price_band')!;

  test('one operator tightens a rule', async () => {
    assert.equal(await set({ hits_min: 2 }), 'done');
    assert.deepEqual((await now()).parameters, { ...start, hits_min: 2 });
  });

  test("loosening or disabling a rule needs another operator's approval", async () => {
    assert.equal(await set({}), 'waiting');
    assert.equal(await set({ hits_min: 2 }, false), 'waiting');
    assert.deepEqual([(await now()).isOn, (await now()).parameters.hits_min], [true, 2]);
    const { rows } = await stage.pool.query('select max(id) as id from approval_requests');
    assert.equal(await stage.vote(admins[1], Number(rows[0].id), {}, ACTS), 'executed');
    assert.equal((await now()).isOn, false);
    assert.equal(await set({ hits_min: 2 }), 'done', 'one operator enables it');
  });

  test('parameters out of range are rejected', async () => {
    assert.equal(await set({ hits_min: 0 }), 'rule_parameters_invalid');
    assert.equal(await set({ more: 1 }), 'rule_parameters_invalid');
  });
});
