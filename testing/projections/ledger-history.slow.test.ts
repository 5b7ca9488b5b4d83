// The ledger history on a real PostgreSQL against the engine: seeded flows are projected while the
// engine's accounts after every frame are recorded. Every query about a random position must match
// them, with and without checkpoints.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accountsOf, applyFrame, createExchange } from '../../core/engine/index.ts';
import { EXTERNAL_OWNER, FEES_OWNER, type Owner } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { makeLedgerStep } from '../../features/reports/index.ts';
import { balancesBefore, endOf } from '../../features/reports/ledger/balances-at.ts';
import type { StepLimits } from '../../features/reports/ledger/ledger-checkpoints.ts';
import { findPosition, type Position } from '../../features/reports/ledger/ledger-position.ts';
import { postingOfRow, postings } from '../../features/reports/ledger/postings.ts';
import { totalsAt, totalsNow } from '../../features/reports/ledger/totals-at.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { chosenSeed, drive, Random } from '../flows/index.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';
import { projectEvents } from './project-events.ts';
import { messagesOf } from './recorded-events.ts';

const SCHEMA = 'projected';
const COMMANDS = 4_000;
const POSITIONS = 60;
const HOUR_MS = 3_600_000;
const SMALL_STEPS: StepLimits = {
  entriesMax: 700,
  entriesMin: 1,
  quietMs: 0,
  checkpointEntries: 40,
};

interface Frame {
  readonly frame: number;
  readonly timeMs: number;
  /** Maps `owner asset` to available and held. */
  readonly accounts: ReadonlyMap<string, readonly [bigint, bigint]>;
}

let stop: () => Promise<void> = async () => {};
let postgres: PostgresForTest;
let registry: OwnConnection;
const history: Frame[] = [];
const random = new Random(chosenSeed());

describe('ledger history', { timeout: 300_000 }, () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    await postgres.schema(SCHEMA);
    registry = await postgres.session('registry');
    await migrate(registry, 'registry', readRegistryMigrations());
    await projectEvents(record(), { connection: postgres.connection(SCHEMA) });
  });
  after(() => stop());

  test('without checkpoints, balances and totals of any frame equal the engine', () =>
    sameAsEngine());

  test('steps process every entry once and stop at the end of the tables', async () => {
    let entries = 0;
    for (let made = 1; made > 0; entries += made) made = await step();
    const { rows } = await registry.query(
      `select (select count(*) from ${SCHEMA}.ledger_entries) as entries,
         (select count(*) from ledger_steps) as steps,
         (select count(*) from ledger_checkpoints) as checkpoints`,
    );
    assert.equal(entries, Number(rows[0].entries));
    assert.ok(Number(rows[0].steps) > 5, `${rows[0].steps} steps`);
    assert.ok(Number(rows[0].checkpoints) > 50, `${rows[0].checkpoints} checkpoints`);
    const accounts = await registry.query(
      `select from ledger_accounts a full join ${SCHEMA}.balances b using (owner, asset_id)
       where a.available_atoms is distinct from b.available_atoms
         or a.held_atoms is distinct from b.held_atoms`,
    );
    assert.equal(accounts.rowCount, 0);
  });

  test('with checkpoints, balances and totals equal the engine', () => sameAsEngine());

  test('a moment includes exactly the frames at or before it', async () => {
    for (let run = 0; run < POSITIONS; run++) {
      const { timeMs } = history[random.below(history.length)];
      const at = new Date(timeMs + random.below(3) - 1);
      const position = await positionOf({ at });
      const expected = history.findLast((one) => one.timeMs <= at.getTime());
      const next = history.find((one) => one.timeMs > at.getTime());
      assert.equal(position.isFinal, next !== undefined);
      await sameBalances(position, expected);
    }
  });

  test('a frame beyond the tables is rejected, and no frame means the last one', async () => {
    const last = history[history.length - 1];
    const refused = await findPosition(registry, SCHEMA, { frame: last.frame + 1 });
    assert.deepEqual(refused, new Refused('frame_not_reached', { frame: last.frame }));
    assert.equal((await positionOf(undefined)).frame, last.frame);
    assert.deepEqual(await totalsAt(registry, SCHEMA, await positionOf({ frame: 0 })), []);
  });

  test('current totals are the sums of all balances, and add up to zero', async () => {
    const now = await totalsNow(registry, SCHEMA);
    const last = history[history.length - 1];
    assert.equal(now?.frame, last.frame);
    assert.deepEqual(now?.totals, await totalsAt(registry, SCHEMA, await positionOf(undefined)));
    assert.ok(now.totals.length > 1);
    for (const one of now.totals) {
      const users = one.usersAvailableAtoms + one.usersHeldAtoms;
      assert.equal(users + one.feesAtoms + one.externalAtoms, 0n);
    }
  });

  test('pages of postings list every entry of an account once, with the balance after it', () =>
    pagesOf(busiestOwner()));

  test('postings of a command and of a frame match the tables', async () => {
    const { rows } = await registry.query(
      `select frame, command from ${SCHEMA}.ledger_entries where command > 0
       order by hashint8(command) limit 20`,
    );
    for (const { command, frame } of rows) {
      await sameEntries({ command: Number(command) }, 'command', command);
      await sameEntries({ frame: Number(frame) }, 'frame', frame);
    }
  });
});

/** Runs a flow in which sometimes hours pass, and records the accounts after each frame. */
function record(): Uint8Array[] {
  const exchange = createExchange();
  const frames: Parameters<typeof messagesOf>[0][number][] = [];
  let leaptMs = 0;
  const apply = (frame: Parameters<typeof applyFrame>[1]) => applyFrame(exchange, frame);
  const flow = { flow: 'adversarial', seed: chosenSeed(), commands: COMMANDS, apply } as const;
  for (const { seen } of drive(flow)) {
    if (random.chance(3)) leaptMs += random.below(100 * HOUR_MS);
    const timeMs = (seen.timeMs + leaptMs) as TimeMs;
    frames.push({ ...seen, events: [...seen.events], timeMs });
    const accounts = accountsOf(exchange)
      .filter((one) => one.availableAtoms !== 0n || one.heldAtoms !== 0n)
      .map((one) => [`${one.owner} ${one.asset}`, [one.availableAtoms, one.heldAtoms]] as const);
    history.push({ frame: seen.sequence, timeMs, accounts: new Map(accounts) });
  }
  return messagesOf(frames, random);
}

function step(): Promise<number> {
  const nowMs = history[history.length - 1].timeMs;
  return makeLedgerStep(registry, { projectionSchema: SCHEMA, nowMs, limits: SMALL_STEPS });
}

async function positionOf(asOf: Parameters<typeof findPosition>[2]): Promise<Position> {
  const found = await findPosition(registry, SCHEMA, asOf);
  assert.ok(!(found instanceof Refused));
  return found;
}

async function sameAsEngine(): Promise<void> {
  for (let run = 0; run < POSITIONS; run++) {
    const expected = history[random.below(history.length)];
    const position = await positionOf({ frame: expected.frame });
    await sameBalances(position, expected);
    await sameTotals(position, expected);
  }
}

async function sameBalances(position: Position, expected: Frame | undefined): Promise<void> {
  const all = [...(expected?.accounts ?? [])];
  const owners = new Set(all.map(([key]) => Number(key.split(' ')[0])));
  const owner = [...owners][random.below(Math.max(1, owners.size))] ?? 1;
  for (const one of [owner, EXTERNAL_OWNER, FEES_OWNER]) {
    const place = endOf(position);
    const found = await balancesBefore(registry, SCHEMA, { owner: one as Owner, place });
    const lines = found
      .filter((row) => row.availableAtoms !== 0n || row.heldAtoms !== 0n)
      .map((row) => `${one} ${row.asset} ${row.availableAtoms} ${row.heldAtoms}`);
    const mine = all.filter(([key]) => key.startsWith(`${one} `));
    const wanted = mine.map(([key, [available, held]]) => `${key} ${available} ${held}`);
    assert.deepEqual(lines.sort(), wanted.sort(), `frame ${position.frame}`);
  }
}

async function sameTotals(position: Position, { accounts }: Frame): Promise<void> {
  const found = await totalsAt(registry, SCHEMA, position);
  const wanted = new Map<string, bigint[]>();
  for (const [key, [available, held]] of accounts) {
    const [owner, asset] = key.split(' ');
    const sums = wanted.get(asset) ?? [0n, 0n, 0n, 0n];
    if (Number(owner) === FEES_OWNER) sums[2] += available;
    else if (Number(owner) === EXTERNAL_OWNER) sums[3] += available;
    else [sums[0], sums[1]] = [sums[0] + available, sums[1] + held];
    wanted.set(asset, sums);
  }
  for (const { asset, ...sums } of found) {
    const { externalAtoms, feesAtoms, usersAvailableAtoms, usersHeldAtoms } = sums;
    const line = [usersAvailableAtoms, usersHeldAtoms, feesAtoms, externalAtoms];
    assert.deepEqual(line, wanted.get(`${asset}`) ?? [0n, 0n, 0n, 0n], `frame ${position.frame}`);
    wanted.delete(`${asset}`);
  }
  assert.deepEqual([...wanted.keys()], []);
}

function busiestOwner(): Owner {
  const counts = new Map<number, number>();
  for (const { accounts } of history) {
    for (const key of accounts.keys()) {
      const owner = Number(key.split(' ')[0]);
      if (owner > 0) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0][0] as Owner;
}

async function pagesOf(owner: Owner): Promise<void> {
  const { rows } = await registry.query(
    `select *, sum(available_change_atoms) over running as available,
       sum(held_change_atoms) over running as held
     from ${SCHEMA}.ledger_entries where owner = $1
     window running as (partition by asset_id order by frame, event_index, posting_index)
     order by frame desc, event_index desc, posting_index desc`,
    [owner],
  );
  assert.ok(rows.length > 100, `${rows.length} entries`);
  let before: Parameters<typeof postings>[0]['before'] = endOf(await positionOf(undefined));
  for (let at = 0; at <= rows.length; at += 37) {
    const list = postings({ owner, before }, SCHEMA);
    const found = await registry.query(list.rows(newestFirst(list)), [...list.values, 37, 0]);
    const page = rows.slice(at, at + 37);
    const wanted = page.map(({ available: _, held: __, ...row }) => row);
    assert.deepEqual(found.rows, wanted);
    const last = found.rows[found.rows.length - 1];
    if (last === undefined) continue;
    const first = postingOfRow(page[0]);
    const after = { ...first, postingIndex: first.postingIndex + 1 };
    const balances = await balancesBefore(registry, SCHEMA, { owner, place: after });
    const balance = balances.find(({ asset }) => asset === first.asset);
    assert.equal(balance?.availableAtoms, BigInt(page[0].available));
    assert.equal(balance?.heldAtoms, BigInt(page[0].held));
    before = postingOfRow(last);
  }
  const list = postings({ owner, before: endOf(await positionOf(undefined)) }, SCHEMA);
  const counted = await registry.query(list.count, [...list.values, null]);
  assert.equal(Number(counted.rows[0].count), rows.length);
}

async function sameEntries(
  by: { readonly command: number } | { readonly frame: number },
  column: 'command' | 'frame',
  value: string,
): Promise<void> {
  const before = endOf(await positionOf(undefined));
  const filter = 'command' in by ? { ...by, before } : { ...by, before };
  const list = postings(filter, SCHEMA);
  const { rows } = await registry.query(list.rows(newestFirst(list)), [...list.values, null, 0]);
  const wanted = await registry.query(
    `select * from ${SCHEMA}.ledger_entries where ${column} = $1
     order by frame desc, event_index desc, posting_index desc, owner desc`,
    [value],
  );
  assert.ok(rows.length > 0);
  assert.deepEqual(rows, wanted.rows);
}

function newestFirst({ defaultSort }: ReturnType<typeof postings>): string {
  return `order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`;
}
