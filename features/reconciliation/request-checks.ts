// Checks of the requests of people and operators against the engine and its log: positions of
// channels, holds, ends of deposits and withdrawals, and notices of changes.

import { OUTBOX_CHANNELS } from '../../platform/outbox/index.ts';
import {
  amountText,
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
} from './check.ts';
import type { EngineHold, EngineState } from './engine-state.ts';

const START: Place = ['0', '0'];

/** Settled positions are in the engine, the engine has no other ones, and no row is missing. */
export const CHANNELS: Check = {
  name: 'channels',
  pauses: true,
  async walk(context, from = START) {
    const { connection, engine, rowsMax } = context;
    const channels: readonly number[] = Object.values(OUTBOX_CHANNELS);
    const before = new Map(channels.map((one) => [one, engine.channelSequence(one)]));
    const { ends, rows } = await inSnapshot(connection, async () => ({
      ends: await readEnds(context, channels),
      rows: await readOutbox(context, from),
    }));
    if (!(await engine.reach(Math.max(0, ...ends.map(({ frame }) => frame))))) return 'later';
    const differences: Difference[] = [];
    for (const { assigned, channel, settled } of ends) {
      const seen = engine.channelSequence(channel);
      if (seen < settled) differences.push(positions(channel, `${settled} settled`, seen));
      const seenBefore = before.get(channel)!;
      if (seenBefore > assigned) {
        differences.push(positions(channel, `at most ${assigned}`, seenBefore));
      }
    }
    let [channel, sequence] = from.map(Number);
    for (const row of rows) {
      const expected = row.channel === channel ? sequence + 1 : 1;
      if (row.sequence !== expected) {
        const object = `outbox ${row.channel}/${expected}`;
        const found = `none before ${row.sequence}`;
        differences.push({ object, asset: undefined, expected: 'a row', found });
      }
      ({ channel, sequence } = row);
    }
    const next = rows.length < rowsMax ? undefined : [`${channel}`, `${sequence}`];
    return { frame: engine.frame, rows: rows.length, differences, next };
  },
};

/** Each hold has its request, and each request that should hold has its hold. */
export const HOLDS: Check = {
  name: 'holds',
  pauses: true,
  async walk(context) {
    const { connection, engine } = context;
    const before = new Set(engine.holds().keys());
    const { rows } = await connection.query(HELD_REQUESTS);
    const frames = rows.map((row) => Number(row.frame ?? 0));
    if (!(await engine.reach(Math.max(0, ...frames)))) return 'later';
    const holds = engine.holds();
    const requests = new Map(rows.map((row) => [Number(row.id), row]));
    const differences: Difference[] = [];
    for (const [id, row] of requests) {
      const hold = holds.get(id);
      // Under way: the engine may have it already, or no longer.
      if (hold === undefined && !row.is_held) continue;
      const found = hold === undefined ? 'no hold' : holdText(engine, hold);
      const expected = holdText(engine, holdOf(row));
      if (expected === found) continue;
      differences.push({ object: `withdrawal ${id}`, asset: row.currency, expected, found });
    }
    for (const [id, hold] of holds) {
      if (requests.has(id) || !before.has(id)) continue;
      const { symbol: asset } = engine.assetOf(hold.asset);
      const found = holdText(engine, hold);
      differences.push({ object: `withdrawal ${id}`, asset, expected: 'no hold', found });
    }
    return { frame: engine.frame, rows: rows.length, differences, next: undefined };
  },
};

/** Each completed deposit or mint, and the credit in the log. */
export const DEPOSIT_CHECK: Check = {
  name: 'deposits',
  pauses: true,
  walk: (context, from) =>
    walkRequests(context, from, {
      object: 'deposit',
      text: `
        select r.id, r.currency, r.asset_id, r.user_id, r.amount_atoms, 'completed' as status,
          c.user_id as log_user, c.asset_id as log_asset, c.amount_atoms as log_amount,
          case when c.command is not null then 'completed' end as log_status
        from deposit_requests r
        left join ${context.projectionSchema}.deposits c on c.command = r.command
        where r.id > $1 and r.id <= $2 and r.state = 'completed' and r.kind in ('deposit', 'mint')
          and ${isProjected(context, 'deposit_request')}
        order by r.id`,
      table: 'deposit_requests',
    }),
};

/** Each completed withdrawal or burn, and its end in the log. */
export const WITHDRAWAL_CHECK: Check = {
  name: 'withdrawals',
  pauses: true,
  walk: (context, from) =>
    walkRequests(context, from, {
      object: 'withdrawal',
      text: `
        select r.id, r.currency, r.asset_id, r.user_id, r.amount_atoms, 'completed' as status,
          c.user_id as log_user, c.asset_id as log_asset, c.amount_atoms as log_amount,
          c.status as log_status
        from withdrawal_requests r
        left join ${context.projectionSchema}.withdrawals c on c.command = r.command
        where r.id > $1 and r.id <= $2 and r.state = 'completed'
          and r.kind in ('withdrawal', 'burn')
          and ${isProjected(context, 'withdrawal_request')}
        order by r.id`,
      table: 'withdrawal_requests',
    }),
};

/** A change that is neither published nor mailed after so long is a difference. */
const TOLD_WITHIN_S = 60;

/** The last recorded change of each request is its state; all changes are published and mailed. */
export const NOTICES: Check = {
  name: 'notices',
  pauses: false,
  async walk({ connection, nowMs, rowsMax }, from = START) {
    const to = `${Number(from[0]) + rowsMax}`;
    const { rows } = await connection.query(NOT_NOTED, [from[0], to]);
    const { rows: late } = await connection.query(NOT_TOLD, [nowMs, TOLD_WITHIN_S]);
    const { rows: walked } = await connection.query(WALKED_REQUESTS, [from[0], to]);
    const [{ compared, newest }] = walked;
    const differences = [...rows, ...late].map(({ currency, expected, found, object }) => ({
      object,
      asset: currency,
      expected,
      found,
    }));
    const next = Number(newest) > Number(to) ? [to] : undefined;
    return { frame: undefined, rows: Number(compared), differences, next };
  },
};

function positions(channel: number, expected: string, seen: number): Difference {
  return { object: `channel ${channel}`, asset: undefined, expected, found: `${seen} seen` };
}

interface ChannelEnd {
  readonly channel: number;
  /** The last position that was given to a command. */
  readonly assigned: number;
  /** The last position before the first one without an outcome, and the frame of its outcome. */
  readonly settled: number;
  readonly frame: number;
}

async function readEnds(
  { connection }: CheckContext,
  channels: readonly number[],
): Promise<ChannelEnd[]> {
  const { rows } = await connection.query(
    `select w.channel, w.assigned, w.settled, coalesce(o.frame, 0) as frame
     from (
       select n.channel, coalesce(c.last_assigned, 0) as assigned, coalesce((
           select min(sequence) - 1 from outbox o
           where o.channel = n.channel and o.state = 'waiting'
         ), c.last_assigned, 0) as settled
       from unnest($1::bigint[]) as n(channel) left join channels c on c.channel = n.channel
     ) w
     left join outbox o on o.channel = w.channel and o.sequence = w.settled`,
    [channels],
  );
  return rows.map((row) => ({
    channel: Number(row.channel),
    assigned: Number(row.assigned),
    settled: Number(row.settled),
    frame: Number(row.frame),
  }));
}

async function readOutbox({ connection, rowsMax }: CheckContext, from: Place) {
  const { rows } = await connection.query(
    `select channel, sequence from outbox where (channel, sequence) > ($1, $2)
     order by channel, sequence limit $3`,
    [...from, rowsMax],
  );
  return rows.map((row) => ({ channel: Number(row.channel), sequence: Number(row.sequence) }));
}

/** Withdrawals and pending burns. The engine takes no fee for a burn: its row only shows one. */
const HELD_REQUESTS = `
  select id, user_id, asset_id, currency, amount_atoms, fee_asset_id,
    case when kind = 'burn' then 0 else fee_atoms end as fee_atoms,
    state in ('in_review', 'approved', 'claimed') as is_held,
    (select max(o.frame) from outbox o where o.withdrawal_request = r.id) as frame
  from withdrawal_requests r
  where state in ('opening', 'in_review', 'approved', 'claimed',
    'completing', 'canceling', 'dismissing', 'rejecting', 'expiring')`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function holdOf(row: any): EngineHold {
  return {
    user: Number(row.user_id),
    asset: Number(row.asset_id),
    amountAtoms: BigInt(row.amount_atoms),
    feeAsset: Number(row.fee_asset_id),
    feeAtoms: BigInt(row.fee_atoms),
  } as EngineHold;
}

function holdText(engine: EngineState, hold: EngineHold): string {
  const { amountAtoms, asset, feeAsset, feeAtoms, user } = hold;
  const fee = feeAtoms === 0n ? '' : `, fee ${amountText(engine, feeAsset, feeAtoms)}`;
  return `${amountText(engine, asset, amountAtoms)} of user ${user}${fee}`;
}

interface RequestWalk {
  readonly object: 'deposit' | 'withdrawal';
  readonly table: 'deposit_requests' | 'withdrawal_requests';
  /** Selects requests with ids above $1 and up to $2, and what the log says of each. */
  readonly text: string;
}

/** The frame of the outcome is in the tables: a row that is missing there is really missing. */
function isProjected({ projectionSchema }: CheckContext, column: string): string {
  return `(select max(o.frame) from outbox o where o.${column} = r.id)
    <= (select frame_sequence - (not is_complete)::int from ${projectionSchema}.projection)`;
}

async function walkRequests(
  { connection, engine, rowsMax }: CheckContext,
  from: Place = START,
  { object, table, text }: RequestWalk,
) {
  const to = `${Number(from[0]) + rowsMax}`;
  const { rows } = await connection.query(text, [from[0], to]);
  const { rows: newest } = await connection.query(`select max(id) as id from ${table}`);
  const differences: Difference[] = [];
  for (const row of rows) {
    const asked = { user: row.user_id, asset: row.asset_id, amount: row.amount_atoms };
    const logged = { user: row.log_user, asset: row.log_asset, amount: row.log_amount };
    const expected = moveText(engine, asked, row.status);
    const found =
      row.log_status === null ? 'nothing in the log' : moveText(engine, logged, row.log_status);
    if (expected === found) continue;
    differences.push({ object: `${object} ${row.id}`, asset: row.currency, expected, found });
  }
  const next = Number(newest[0].id) > Number(to) ? [to] : undefined;
  return { frame: engine.frame, rows: rows.length, differences, next };
}

function moveText(
  engine: EngineState,
  { amount, asset, user }: { user: string; asset: string; amount: string },
  status: string,
): string {
  return `${amountText(engine, Number(asset), BigInt(amount))} of user ${user}, ${status}`;
}

const WALKED_REQUESTS = `
  select greatest((select max(id) from deposit_requests), (select max(id) from withdrawal_requests),
      0) as newest,
    (select count(*) from deposit_requests where id > $1 and id <= $2)
      + (select count(*) from withdrawal_requests where id > $1 and id <= $2) as compared`;

/** Requests that are older than the table of changes have none. */
const IS_NOT_NOTED = `c.state is distinct from r.state
  and (c.state is not null or r.created_at > (select min(changed_at) from transfer_changes))`;

const NOT_NOTED = `
  select 'deposit ' || r.id as object, r.currency, r.state as expected,
    coalesce(c.state, 'no recorded change') as found
  from deposit_requests r left join lateral (
    select state from transfer_changes where deposit_request = r.id order by id desc limit 1
  ) c on true
  where r.id > $1 and r.id <= $2 and ${IS_NOT_NOTED}
  union all
  select 'withdrawal ' || r.id, r.currency, r.state, coalesce(c.state, 'no recorded change')
  from withdrawal_requests r left join lateral (
    select state from transfer_changes where withdrawal_request = r.id order by id desc limit 1
  ) c on true
  where r.id > $1 and r.id <= $2 and ${IS_NOT_NOTED}`;

const NOT_TOLD = `
  select case when c.deposit_request is null then 'withdrawal ' || c.withdrawal_request
      else 'deposit ' || c.deposit_request end || ' ' || c.state as object,
    null as currency, 'published and mailed within a minute' as expected,
    case when c.published_at is null then 'not published' else 'not mailed' end as found
  from transfer_changes c
  where (c.published_at is null or c.mailed_at is null)
    and c.changed_at < to_timestamp($1 / 1000.0) - $2 * interval '1 second'
  order by c.id limit 100`;
