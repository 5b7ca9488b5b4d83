// Compares users' and operators' requests with what the engine did for them: the accepted commands
// of their outbox rows, which CHANNELS compares with the log, and the projected rows.

import type { OutboxCommand } from '../../platform/outbox/index.ts';
import { DEPOSITS, WITHDRAWALS } from '../payments/index.ts';
import { commandOf } from './channel-checks.ts';
import {
  amountText,
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
  stepRows,
} from './check.ts';
import type { EngineState } from './engine-state.ts';

const START: Place = ['0'];
/** Their commands are decoded. */
const REQUESTS_SHARE = 20;

/** Each deposit, mint and received transfer: its state, and the credit. */
export const DEPOSIT_CHECK: Check = {
  name: 'deposits',
  pauses: true,
  walk: (context, from) =>
    walkRequests(context, from, {
      table: 'deposit_requests',
      link: 'deposit_request',
      text: `
        select r.id, r.kind, r.currency, r.asset_id, r.user_id, r.amount_atoms, r.state, r.command,
          c.user_id as shown_user, c.asset_id as shown_asset, c.amount_atoms as shown_amount,
          r.kind <> 'transfer' and ${isProjected(context, 'deposit_request')} as is_projected
        from deposit_requests r
        left join ${context.projectionSchema}.deposits c on c.command = r.command
        where r.id > $1 and r.id <= $2`,
      compare: compareDeposit,
    }),
};

/** Each withdrawal, burn and sent transfer: its state, its amounts, and its terms. */
export const WITHDRAWAL_CHECK: Check = {
  name: 'withdrawals',
  pauses: true,
  walk: (context, from) =>
    walkRequests(context, from, {
      table: 'withdrawal_requests',
      link: 'withdrawal_request',
      text: `
        select r.id, r.kind, r.currency, r.asset_id, r.user_id, r.amount_atoms, r.fee_asset_id,
          case when r.kind = 'burn' then 0 else r.fee_atoms end as fee_atoms, r.state, r.command,
          c.user_id as shown_user, c.asset_id as shown_asset, c.amount_atoms as shown_amount,
          c.fee_asset_id as shown_fee_asset, c.fee_atoms as shown_fee, c.status as shown_status,
          r.kind <> 'transfer' and ${isProjected(context, 'withdrawal_request')} as is_projected,
          (select terms <> withdrawal_terms(r) from transfer_changes t
           where t.withdrawal_request = r.id and t.state in ('opening', 'executing')
             and t.terms is not null
           order by t.id limit 1) as has_other_terms
        from withdrawal_requests r
        left join ${context.projectionSchema}.withdrawals c on c.command = r.command
        where r.id > $1 and r.id <= $2`,
      compare: compareWithdrawal,
    }),
};

/** The outcomes are in the tables, so a row missing there is really missing. */
function isProjected({ projectionSchema }: CheckContext, link: string): string {
  return `(select max(o.frame) from outbox o where o.${link} = r.id)
    <= (select frame_sequence - (not is_complete)::int from ${projectionSchema}.projection)`;
}

/** A command that the engine accepted for a request. */
interface Accepted {
  readonly command: OutboxCommand | undefined;
  readonly number: number;
}

interface RequestWalk {
  readonly table: 'deposit_requests' | 'withdrawal_requests';
  readonly link: 'deposit_request' | 'withdrawal_request';
  /** Selects requests with IDs above $1 and up to $2. */
  readonly text: string;
  compare(engine: EngineState, row: RequestRow, accepted: readonly Accepted[]): Named[];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
type RequestRow = any;
type Named = Pick<Difference, 'object' | 'expected' | 'found'>;

/** Outcomes and states are written in one transaction, so a snapshot is always consistent. */
async function walkRequests(
  context: CheckContext,
  from: Place = START,
  { compare, link, table, text }: RequestWalk,
) {
  const { connection, engine } = context;
  const { rows: newest } = await connection.query(`select max(id) as id from ${table}`);
  const last = Number(newest[0].id);
  const to = `${Number(from[0]) + stepRows(context, REQUESTS_SHARE, last)}`;
  const read = await inSnapshot(connection, async () => ({
    requests: await connection.query(`${text} order by r.id`, [from[0], to]),
    accepted: await connection.query(
      `select ${link} as request, schema_version, record, command_number from outbox
       where ${link} > $1 and ${link} <= $2 and state = 'accepted'
       order by ${link}, frame, sequence`,
      [from[0], to],
    ),
  }));
  const accepted = new Map<string, Accepted[]>();
  for (const row of read.accepted.rows) {
    const of = accepted.get(row.request) ?? [];
    of.push({ command: commandOf(row), number: Number(row.command_number) });
    accepted.set(row.request, of);
  }
  const differences = read.requests.rows.flatMap((row) =>
    compare(engine, row, accepted.get(row.id) ?? []).map((one) => ({
      asset: row.currency,
      ...one,
    })),
  );
  const next = last > Number(to) ? [to] : undefined;
  return { frame: engine.frame, rows: read.requests.rows.length, differences, next };
}

function compareDeposit(
  engine: EngineState,
  row: RequestRow,
  accepted: readonly Accepted[],
): Named[] {
  const object = `deposit ${row.id}`;
  const kinds = kindsOf(accepted);
  if (!CREDITS[row.state]?.has(kinds)) return [stateDifference(object, row.state, kinds)];
  if (kinds === '') return [];
  const [{ command, number }] = accepted;
  const moved = command !== undefined && 'amountAtoms' in command ? command : undefined;
  const expected = moveText(engine, {
    user: row.user_id,
    asset: row.asset_id,
    amount: row.amount_atoms,
    command: row.command,
  });
  const found =
    moved === undefined
      ? 'an unreadable command'
      : moveText(engine, {
          user: 'receiver' in moved ? moved.receiver : moved.user,
          asset: moved.asset,
          amount: moved.amountAtoms,
          command: number,
        });
  if (expected !== found) return [{ object, expected: found, found: expected }];
  if (!row.is_projected) return [];
  const shown = moveText(engine, {
    user: row.shown_user,
    asset: row.shown_asset,
    amount: row.shown_amount,
    command: row.command,
  });
  return shown === expected ? [] : [{ object, expected, found: `${shown} in the tables` }];
}

function compareWithdrawal(
  engine: EngineState,
  row: RequestRow,
  accepted: readonly Accepted[],
): Named[] {
  const object = `withdrawal ${row.id}`;
  const differences: Named[] = [];
  if (row.has_other_terms) {
    const expected = 'the requested address and terms';
    differences.push({ object: `terms of ${object}`, expected, found: 'others' });
  }
  const kinds = kindsOf(accepted);
  if (!PAYMENTS[row.state]?.has(kinds)) {
    return [...differences, stateDifference(object, row.state, kinds)];
  }
  if (kinds === '') return differences;
  const [{ command, number }] = accepted;
  const expected = withdrawalText(engine, {
    user: row.user_id,
    asset: row.asset_id,
    amount: row.amount_atoms,
    feeAsset: row.fee_asset_id,
    fee: row.fee_atoms,
    command: row.command,
  });
  const found = commandText(engine, command, number);
  if (expected !== found) return [...differences, { object, expected: found, found: expected }];
  if (!row.is_projected) return differences;
  const shown = shownText(engine, row);
  const status = statusOf(row.state, kinds);
  const whole = status === undefined ? expected : `${expected}, ${status}`;
  const shownWhole = status === undefined ? shown : `${shown}, ${row.shown_status}`;
  if (whole === shownWhole) return differences;
  return [...differences, { object, expected: whole, found: `${shownWhole} in the tables` }];
}

function stateDifference(object: string, state: string, kinds: string): Named {
  return { object, expected: kinds === '' ? 'nothing in the log' : kinds, found: state };
}

// ---- Accepted commands, by state ----------------------------------------------------------------

interface AnsweredArrow {
  readonly from: string;
  readonly to: string;
  readonly move: string;
  readonly answers?: readonly string[];
}

type Accepts = Readonly<Record<string, ReadonlySet<string> | undefined>>;

/** For each state, the commands that the engine has accepted on every path to it, in order. */
function acceptedOnTheWay({ arrows }: { readonly arrows: readonly AnsweredArrow[] }): Accepts {
  const ways: Record<string, Set<string>> = { new: new Set(['']) };
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { answers = [], from, move, to } of arrows) {
      const kinds = move.startsWith('accept') ? answers : [''];
      for (const way of ways[from] ?? []) {
        for (const kind of kinds) {
          const longer = [way, kind].filter((one) => one !== '').join(', ');
          ways[to] ??= new Set();
          if (ways[to].has(longer)) continue;
          ways[to].add(longer);
          isDone = false;
        }
      }
    }
  }
  return ways;
}

const CREDITS = acceptedOnTheWay(DEPOSITS);
const PAYMENTS = acceptedOnTheWay(WITHDRAWALS);

function kindsOf(accepted: readonly Accepted[]): string {
  return accepted.map(({ command }) => command?.kind ?? 'an unreadable command').join(', ');
}

/**
 * Undefined while a command is pending in the engine, because the tables can be ahead of the
 * request.
 */
function statusOf(state: keyof typeof WITHDRAWALS.states, kinds: string): string | undefined {
  if (WITHDRAWALS.states[state].phase === 'asked') return undefined;
  if (kinds.endsWith('CancelWithdrawal')) return 'canceled';
  return kinds === 'OpenWithdrawal' ? 'open' : 'completed';
}

// ---- Texts --------------------------------------------------------------------------------------

type Value = string | number | bigint | null;

interface Move {
  readonly user: Value;
  readonly asset: Value;
  readonly amount: Value;
  readonly command: Value;
}

function moveText(engine: EngineState, { amount, asset, command, user }: Move): string {
  if (amount === null) return 'nothing';
  return `${amountText(engine, Number(asset), BigInt(amount))} of user ${user}, command ${command}`;
}

interface MoveWithFee extends Move {
  readonly feeAsset: Value;
  readonly fee: Value;
}

function withdrawalText(engine: EngineState, { fee, feeAsset, ...move }: MoveWithFee): string {
  const text = moveText(engine, move);
  if (fee === null || BigInt(fee) === 0n) return text;
  return `${text}, fee ${amountText(engine, Number(feeAsset), BigInt(fee))}`;
}

function commandText(
  engine: EngineState,
  command: OutboxCommand | undefined,
  number: number,
): string {
  if (command === undefined || !('amountAtoms' in command)) return 'an unreadable command';
  return withdrawalText(engine, {
    user: 'sender' in command ? command.sender : command.user,
    asset: command.asset,
    amount: command.amountAtoms,
    feeAsset: 'feeAsset' in command ? command.feeAsset : 0,
    fee: 'feeAtoms' in command ? command.feeAtoms : 0,
    command: number,
  });
}

function shownText(engine: EngineState, row: RequestRow): string {
  return withdrawalText(engine, {
    user: row.shown_user,
    asset: row.shown_asset,
    amount: row.shown_amount,
    feeAsset: row.shown_fee_asset,
    fee: row.shown_fee,
    command: row.command,
  });
}
