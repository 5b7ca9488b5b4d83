// Account statements and books on a real PostgreSQL: many users trade, transfer and withdraw while
// the engine's accounts are recorded at random frames. Each statement and the books of a random
// period must lead from the engine's balances at its start to those at its end.
// RIALTO_STATEMENT_USERS=1000 is the full run.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { accountsOf, applyFrame, createExchange } from '../../core/engine/index.ts';
import {
  type EventFrame,
  EXTERNAL_OWNER,
  FEES_OWNER,
  type Posting,
  postingsOf,
} from '../../core/messages/index.ts';
import type { TimeMs, UserId } from '../../core/money/index.ts';
import { makeLedgerStep, openBooks, readGeneralLedger } from '../../features/reports/index.ts';
import {
  countStatementLines,
  findStatement,
  readStatementLines,
  type Statement,
  type StatementLine,
} from '../../features/reports/statements/statement.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { exportBooks } from '../../tools/books/export-books.ts';
import { chosenSeed, manyUsers, Random } from '../flows/index.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';
import { projectEvents } from './project-events.ts';
import { messagesOf } from './recorded-events.ts';

const SCHEMA = 'projected';
const USERS = Number(process.env.RIALTO_STATEMENT_USERS ?? 60);
const COMMANDS_PER_USER = 40;
const MOMENTS = 24;
const HOUR_MS = 3_600_000;

/** The engine after the last frame at or before a time. */
interface Moment {
  readonly timeMs: number;
  /** Maps `owner asset` to available and held. */
  readonly accounts: ReadonlyMap<string, readonly [bigint, bigint]>;
}

const NOTHING = [0n, 0n] as const;

let stop: () => Promise<void> = async () => {};
let postgres: PostgresForTest;
let registry: OwnConnection;
const moments: Moment[] = [];
const frames: EventFrame[] = [];
const random = new Random(chosenSeed());

describe('account statements', { timeout: 900_000 }, () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    await postgres.schema(SCHEMA);
    registry = await postgres.session('registry');
    await migrate(registry, 'registry', readRegistryMigrations());
    await projectEvents(record(), { connection: postgres.connection(SCHEMA) });
    const nowMs = frames[frames.length - 1].timeMs;
    const limits = { entriesMax: 2_000, entriesMin: 1, quietMs: 0, checkpointEntries: 40 };
    while ((await makeLedgerStep(registry, { projectionSchema: SCHEMA, nowMs, limits })) > 0);
  });
  after(() => stop());

  test(`the statements of ${USERS} users equal the engine to the atom`, async (context) => {
    let lines = 0;
    for (let user = 1; user <= USERS; user++) lines += await sameAsEngine(user as UserId);
    assert.ok(lines > USERS, `${lines} lines`);
    context.diagnostic(`${USERS} users, ${lines} lines, seed ${chosenSeed()}`);
  });

  test('a period without an end reaches the newest posting, even for one asset', async () => {
    const { accounts } = moments[moments.length - 1];
    const user = 1 as UserId;
    const from = new Date(0);
    const all = await statementOf({ owner: user, from, to: undefined });
    for (const { asset, closing, opening } of all.assets) {
      assert.deepEqual([opening.availableAtoms, opening.heldAtoms], NOTHING);
      const amounts = [closing.availableAtoms, closing.heldAtoms];
      assert.deepEqual(amounts, accounts.get(`${user} ${asset}`) ?? NOTHING);
    }
    const [{ asset }] = all.assets;
    const one = await statementOf({ owner: user, from, to: undefined, asset });
    assert.deepEqual(one.assets, [all.assets[0]]);
  });

  test('a period before the first posting and an empty period have no lines', async () => {
    const first = new Date(frames[0].timeMs - HOUR_MS);
    const owner = 1 as UserId;
    const early = await statementOf({ owner, from: new Date(0), to: first });
    assert.deepEqual(early.assets, []);
    const { timeMs } = moments[MOMENTS / 2];
    const empty = await statementOf({ owner, from: new Date(timeMs), to: new Date(timeMs) });
    assert.equal((await linesOf(empty)).length, 0);
    const reversed = { owner, from: new Date(timeMs), to: first };
    assert.deepEqual(
      await findStatement(registry, SCHEMA, reversed),
      new Refused('dates_reversed'),
    );
  });

  test('fees, holds and releases have their own types', async () => {
    const lines: StatementLine[] = [];
    for (let user = 1; user <= USERS; user++) {
      const period = { owner: user as UserId, from: new Date(0), to: undefined };
      lines.push(...(await linesOf(await statementOf(period))));
    }
    const types = new Set(lines.map(({ type }) => type));
    for (const type of ['deposit', 'trade', 'fee', 'hold', 'release', 'transfer', 'withdrawal']) {
      assert.ok(types.has(type), type);
    }
    const paid = lines.filter(({ type }) => type === 'fee');
    assert.ok(paid.every((one) => one.availableChangeAtoms + one.heldChangeAtoms < 0n));
    const collected = [...changes]
      .filter(([account]) => account.startsWith(`${FEES_OWNER} `))
      .flatMap(([, list]) => list.filter(({ values: [atoms] }) => atoms > 0n));
    assert.equal(paid.length, collected.length);
  });

  test('a statement that does not add up throws instead of ending', async () => {
    const statement = await statementOf({ owner: 1 as UserId, from: new Date(0), to: undefined });
    const [asset] = statement.assets;
    const closing = { ...asset.closing, heldAtoms: asset.closing.heldAtoms + 1n };
    const wrong = { ...statement, assets: [{ ...asset, closing }] };
    await assert.rejects(linesOf(wrong), /does not add up/);
  });

  test('the books of random periods equal the engine, and every entry balances', async () => {
    for (let round = 0; round < 5; round++) {
      const { end, from, start, to } = randomPeriod();
      const books = await openBooks(registry, SCHEMA, { from, to });
      assert.ok(!(books instanceof Refused));
      assert.deepEqual(nonZero(books.openingBalances), chartOf(start));
      assert.deepEqual(nonZero(books.closingBalances), chartOf(end));
      const entries = new Map<string, bigint>();
      let lines = 0;
      for await (const batch of readGeneralLedger(registry, SCHEMA, books)) {
        lines += batch.length;
        for (const { debitAtoms, entry } of batch) {
          entries.set(entry, (entries.get(entry) ?? 0n) + debitAtoms);
        }
      }
      assert.deepEqual(
        [...entries].filter(([, atoms]) => atoms !== 0n),
        [],
      );
      const expected = [...changes.values()]
        .flat()
        .filter(({ timeMs }) => timeMs > start.timeMs && timeMs <= end.timeMs)
        .flatMap(({ values: [available, held] }) => [available, held])
        .filter((atoms) => atoms !== 0n);
      assert.equal(lines, expected.length);
    }
  });

  test('the exported files are complete, and name what does not balance', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'rialto-books-'));
    context.after(() => rm(folder, { recursive: true }));
    const from = new Date(frames[0].timeMs);
    const to = new Date(frames[frames.length - 1].timeMs);
    const written = await exportBooks(registry, SCHEMA, { from, to }, folder);
    assert.deepEqual(written?.differences, []);
    for (const { name, rows, sha256 } of written!.files) {
      const content = await readFile(join(folder, name), 'utf8');
      assert.equal(content.trimEnd().split('\r\n').length, rows + 1, name);
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256, name);
    }
    const rowsOf = new Map(written!.files.map(({ name, rows }) => [name, rows]));
    const events = frames
      .filter(({ timeMs }) => timeMs < to.getTime())
      .flatMap((frame) => frame.events);
    const count = (kind: string) => events.filter((event) => event.kind === kind).length;
    assert.equal(rowsOf.get('trades.csv'), count('TradeExecuted'));
    assert.equal(rowsOf.get('orders.csv'), count('OrderPlaced'));

    await registry.query('begin');
    await registry.query(`update ${SCHEMA}.ledger_entries
      set available_change_atoms = available_change_atoms + 1
      where (owner, frame, event_index, posting_index) = (
        select owner, frame, event_index, posting_index from ${SCHEMA}.ledger_entries
        where owner = ${FEES_OWNER} order by frame limit 1)`);
    const wrong = await exportBooks(registry, SCHEMA, { from, to }, folder);
    await registry.query('rollback');
    assert.match(wrong!.differences.join(), /entry [0-9.]+ is off by -1.*account 4000 of asset/);
    assert.equal(JSON.parse(await readFile(join(folder, 'books.json'), 'utf8')).balances, false);
  });

  test('the books wait for the tables', async () => {
    const to = new Date(frames[frames.length - 1].timeMs + HOUR_MS);
    const refused = await openBooks(registry, SCHEMA, { from: new Date(0), to });
    assert.ok(refused instanceof Refused);
    assert.equal(refused.key, 'frame_not_reached');
  });
});

function nonZero(balances: ReadonlyMap<number, object>): Map<string, bigint> {
  const found = [...balances].flatMap(([asset, accounts]) =>
    Object.entries(accounts).map(([account, atoms]): [string, bigint] => [
      `${asset} ${account}`,
      atoms,
    ]),
  );
  return new Map(found.filter(([, atoms]) => atoms !== 0n).sort());
}

/** The engine's accounts as debit balances of the chart. */
function chartOf({ accounts: all }: Moment): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (key: string, atoms: bigint) => sums.set(key, (sums.get(key) ?? 0n) - atoms);
  for (const [name, [available, held]] of all) {
    const [owner, asset] = name.split(' ').map(Number);
    if (owner === EXTERNAL_OWNER) add(`${asset} 1000`, available + held);
    else if (owner === FEES_OWNER) add(`${asset} 4000`, available + held);
    else {
      add(`${asset} 2000`, available);
      add(`${asset} 2100`, held);
    }
  }
  return new Map([...sums].filter(([, atoms]) => atoms !== 0n).sort());
}

function randomPeriod() {
  const [one, other] = [random.below(moments.length), random.below(moments.length)];
  const [start, end] = [moments[Math.min(one, other)], moments[Math.max(one, other)]];
  // One millisecond later, because the end of a period is not included.
  return { start, end, from: new Date(start.timeMs + 1), to: new Date(end.timeMs + 1) };
}

async function sameAsEngine(owner: UserId): Promise<number> {
  const { end, from, start, to } = randomPeriod();
  const statement = await statementOf({ owner, from, to });
  const assets = new Set(statement.assets.map(({ asset }) => `${owner} ${asset}`));
  for (const [account, amounts] of end.accounts) {
    const hasBalance = account.startsWith(`${owner} `) && amounts.some((atoms) => atoms !== 0n);
    assert.ok(!hasBalance || assets.has(account), `${account} is missing`);
  }
  let count = 0;
  for (const asset of statement.assets) {
    const account = `${owner} ${asset.asset}`;
    const { closing, opening } = asset;
    const before = start.accounts.get(account) ?? NOTHING;
    const behind = end.accounts.get(account) ?? NOTHING;
    assert.deepEqual([opening.availableAtoms, opening.heldAtoms], before, account);
    assert.deepEqual([closing.availableAtoms, closing.heldAtoms], behind, account);
    const lines = await linesOf({ ...statement, assets: [asset] });
    const expected = changesOf(account, start.timeMs, end.timeMs);
    assert.deepEqual(
      lines.map((line) => [line.availableChangeAtoms, line.heldChangeAtoms, line.causeId]),
      expected,
      account,
    );
    count += lines.length;
  }
  assert.equal(await countStatementLines(registry, SCHEMA, statement, 1_000_000), count);
  return count;
}

/** The changes of an account between two times. */
function changesOf(account: string, afterMs: number, toMs: number): Change['values'][] {
  return (changes.get(account) ?? [])
    .filter(({ timeMs }) => timeMs > afterMs && timeMs <= toMs)
    .map(({ values }) => values);
}

interface Change {
  readonly timeMs: number;
  /** Change of available, change of held, and the ID of the cause. */
  readonly values: [bigint, bigint, number];
}

/** By `owner asset`, from the events. */
const changes = new Map<string, Change[]>();

function addChanges({ amountAtoms, asset, cause, from, to }: Posting, timeMs: number): void {
  for (const owner of new Set([from.owner, to.owner])) {
    const values: Change['values'] = [0n, 0n, cause.id];
    if (from.owner === owner) values[from.part === 'available' ? 0 : 1] -= amountAtoms;
    if (to.owner === owner) values[to.part === 'available' ? 0 : 1] += amountAtoms;
    const account = `${owner} ${asset}`;
    const list = changes.get(account);
    if (list === undefined) changes.set(account, [{ timeMs, values }]);
    else list.push({ timeMs, values });
  }
}

async function statementOf(period: Parameters<typeof findStatement>[2]): Promise<Statement> {
  const statement = await findStatement(registry, SCHEMA, period);
  assert.ok(!(statement instanceof Refused));
  return statement;
}

async function linesOf(statement: Statement): Promise<StatementLine[]> {
  const found: StatementLine[] = [];
  for (const asset of statement.assets) {
    for await (const lines of readStatementLines(registry, SCHEMA, statement, asset)) {
      found.push(...lines);
    }
  }
  return found;
}

/** Runs the flow with pauses of hours, and records the accounts at some frames and the last. */
function record(): Uint8Array[] {
  const exchange = createExchange();
  const flow = manyUsers(chosenSeed(), USERS);
  const commandsMax = USERS * COMMANDS_PER_USER;
  let leaptMs = 0;
  let commands = 0;
  let nextMoment = 0;
  for (let frame = flow.next().value; commands < commandsMax; ) {
    const seen = applyFrame(exchange, frame);
    commands += frame.commands.length;
    if (random.chance(3)) leaptMs += random.below(100 * HOUR_MS);
    const timeMs = (seen.timeMs + leaptMs) as TimeMs;
    // A time has one moment, so a period never cuts frames of the same millisecond.
    const isNew = frames.length === 0 || frames[frames.length - 1].timeMs < timeMs;
    if (isNew && commands >= nextMoment && frames.length > 0) {
      nextMoment += commandsMax / MOMENTS;
      keepMoment(frames[frames.length - 1].timeMs);
    }
    frames.push({ ...seen, events: [...seen.events], timeMs });
    for (const posting of seen.events.flatMap((event) => postingsOf(event))) {
      addChanges(posting, timeMs);
    }
    pending = accounts(exchange);
    frame = flow.next(seen).value;
  }
  keepMoment(frames[frames.length - 1].timeMs);
  return messagesOf(frames, random);
}

let pending: Moment['accounts'] = new Map();

function keepMoment(timeMs: number): void {
  moments.push({ timeMs, accounts: pending });
}

function accounts(exchange: Parameters<typeof accountsOf>[0]): Moment['accounts'] {
  return new Map(
    accountsOf(exchange).map((one) => [
      `${one.owner} ${one.asset}`,
      [one.availableAtoms, one.heldAtoms] as const,
    ]),
  );
}
