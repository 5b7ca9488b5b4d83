// Applies the two state machines to rows. The only module that writes a request's `state`. Locks a
// row, looks up its move in the table, and names the previous state in the update. A move that is
// not in the table changes nothing.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import {
  enqueue,
  type OutboxCommand,
  type OutboxPosition,
  type OutboxRequests,
} from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { DEPOSITS } from './deposits/states.ts';
import type { Actor, Arrow, MachineRefusals, StateMachine } from './state-machine.ts';
import { WITHDRAWALS } from './withdrawals/states.ts';

/** Columns that an operator sets manually. The flags of a withdrawal follow from its state. */
export const MARKS: Readonly<
  Record<StateMachine<string, string>['table'], readonly ('processing' | 'waiting')[]>
> = {
  deposit_requests: ['processing', 'waiting'],
  withdrawal_requests: [],
};

/** A row's ID, or the transaction it names. */
export type RequestName = { readonly id: number } | { readonly transactionId: string };

export type RequestRefusal =
  | MachineRefusals[keyof MachineRefusals]
  /** Several requests match; use the ID. */
  | 'transaction_id_ambiguous'
  /** Another deposit has the same cause. */
  | 'transaction_id_used'
  /** Another deposit of the transaction has the same user and amount. */
  | 'transaction_output_repeated';

export type RequestChange =
  | { readonly kind: 'requested'; readonly id: number; readonly position: OutboxPosition }
  /** The move needed no command. */
  | { readonly kind: 'moved'; readonly id: number }
  | Refused<RequestRefusal>;

export interface LockedRequest<State extends string> {
  readonly id: number;
  readonly state: State;
  /** All columns of the row. */
  // biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
  readonly row: any;
}

/** With `ofUser`, another user's request counts as missing. */
export async function lockRequest<State extends string, Move extends string>(
  connection: Connection,
  { refusals, table }: StateMachine<State, Move>,
  name: RequestName,
  ofUser?: UserId,
): Promise<LockedRequest<State> | Refused<RequestRefusal>> {
  const [column, value] =
    'id' in name ? (['id', name.id] as const) : (['transaction_id', name.transactionId] as const);
  const { rows } = await connection.query(
    `select * from ${table} where ${column} = $1 and ($2::bigint is null or user_id = $2)
     order by id limit 2 for update`,
    [value, ofUser ?? null],
  );
  if (rows.length === 0) return new Refused(refusals.missing);
  if (rows.length > 1) return new Refused('transaction_id_ambiguous');
  const [row] = rows;
  return { id: Number(row.id), state: row.state, row };
}

export interface RequestMove<Move extends string> {
  readonly move: Move;
  readonly by: Actor;
  /** Channel for the command, if the table lists one for the move. */
  readonly channel: number;
  readonly command: OutboxCommand;
  /** Replaces the row's transaction ID. */
  readonly transactionId?: string;
  /** Receiving side of a transfer, whose state follows from the same command. */
  readonly depositRequest?: number;
}

/** Moves a row locked by this transaction. */
export async function moveRequest<State extends string, Move extends string>(
  connection: Connection,
  machine: StateMachine<State, Move>,
  { id, state }: LockedRequest<State>,
  { by, channel, command, depositRequest, move, transactionId }: RequestMove<Move>,
): Promise<RequestChange> {
  const { refusals, states, table } = machine;
  const hasEnded = (at: State) => states[at].phase === 'ended';
  const arrow = machine.find(state, move, by);
  if (arrow === undefined) return new Refused(refusals.notMovable);
  const { rowCount } = await connection.query(
    `update ${table} r set state = $3, transaction_id = coalesce($4, transaction_id),
       ${marksAfter(table, `${hasEnded(arrow.to)}`)} updated_at = now(),
       -- A row that moves again after its end waits for another command.
       command = case when not $5::boolean then command end,
       refusal = case when not $5 then refusal end
     where id = $1 and state = $2`,
    [id, state, arrow.to, transactionId ?? null, hasEnded(state)],
  );
  if (rowCount !== 1) throw new Error(`${table} ${id} is not ${state}: it was not locked`);
  if (arrow.appends === undefined) return { kind: 'moved', id };
  const request =
    table === 'deposit_requests'
      ? { depositRequest: id }
      : { withdrawalRequest: id, depositRequest };
  const position = await appendFor(connection, { arrows: [arrow], channel, command, ...request });
  return { kind: 'requested', id, position };
}

/** Returns the arrow that creates a row. Throws if it is not in the table. */
export function beginning<State extends string, Move extends string>(
  machine: StateMachine<State, Move>,
  move: Move,
  by: Actor,
): Arrow<State, Move> {
  const arrow = machine.find('new', move, by);
  if (arrow === undefined)
    throw new Error(`no row of ${machine.table} begins with ${move} by ${by}`);
  return arrow;
}

export interface Append extends OutboxRequests {
  /** Arrows of the rows whose state follows from the command. */
  readonly arrows: readonly Pick<Arrow<string, string>, 'move' | 'appends'>[];
  readonly channel: number;
  readonly command: OutboxCommand;
}

/**
 * Appends the command of a move. Throws if the table lists another kind of command for the move.
 */
export function appendFor(
  connection: Connection,
  { arrows, channel, command, depositRequest, withdrawalRequest }: Append,
): Promise<OutboxPosition> {
  for (const { appends = [], move } of arrows) {
    if (!appends.includes(command.kind))
      throw new Error(`move ${move} must not append ${command.kind}`);
  }
  return enqueue(connection, command, { channel, depositRequest, withdrawalRequest });
}

/** Outcome of a request's command. */
export interface RequestOutcome {
  readonly id: number;
  readonly kind: OutboxCommand['kind'];
  /** review: not sent, because an operator must decide first. */
  readonly move: 'accept' | 'refuse' | 'review';
  readonly refusal: string;
  /** Command number in the log, if it is there; a request keeps its first one. */
  readonly command: number | null;
}

// A withdrawal on hold becomes pending review.
export const SETTLE_WITHDRAWALS = settleStatement(
  WITHDRAWALS,
  `case when o.kind = 'OpenWithdrawal' and o.move = 'accept' and r.reviews_needed > 0
     then 'acceptForReview' else o.move end`,
);
export const SETTLE_DEPOSITS = settleStatement(DEPOSITS, 'o.move');

/** Returns the number of moved rows: those for which the table lists the engine's move. */
export async function moveSettled(
  connection: Connection,
  statement: typeof SETTLE_WITHDRAWALS | typeof SETTLE_DEPOSITS,
  outcomes: readonly RequestOutcome[],
): Promise<number> {
  const { rowCount } = await connection.query(statement, [
    outcomes.map(({ id }) => id),
    outcomes.map(({ kind }) => kind),
    outcomes.map(({ move }) => move),
    outcomes.map(({ refusal }) => refusal),
    outcomes.map(({ command }) => command),
  ]);
  return rowCount ?? 0;
}

function settleStatement<State extends string, Move extends string>(
  { arrows, states, table }: StateMachine<State, Move>,
  moveOfRow: string,
): string {
  const moves = arrows.flatMap(({ answers = [], from, move, to }) =>
    answers.map((kind) => `('${kind}', '${move}', '${from}', '${to}', ${isEnd(to)})`),
  );
  return `
    update ${table} r set state = m.to_state, refusal = nullif(o.refusal, 'none'),
      command = coalesce(r.command, o.command), ${marksAfter(table, 'm.is_end')} updated_at = now()
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      as o(id, kind, move, refusal, command)
    join (values ${moves.join(', ')}) as m(kind, move, from_state, to_state, is_end)
      on m.kind = o.kind
    where r.id = o.id and r.state = m.from_state and m.move = ${moveOfRow}`;

  function isEnd(state: State): boolean {
    return states[state].phase === 'ended';
  }
}

/** State of a request according to the log. */
export interface LoggedState<State extends string> {
  readonly id: number;
  readonly state: State;
  /** Command number in the log. */
  readonly command: number;
  readonly transactionId?: string | undefined;
}

/**
 * Sets a request to its state in the log, whatever the row's state. Only for a registry that is
 * older than the log: the log wins.
 */
export async function recordLogged<State extends string, Move extends string>(
  connection: Connection,
  { states, table }: StateMachine<State, Move>,
  { command, id, state, transactionId }: LoggedState<State>,
): Promise<void> {
  const isEnd = `${states[state].phase === 'ended'}`;
  await connection.query(
    `update ${table} r set state = $2, command = coalesce(r.command, $3), refusal = null,
       transaction_id = coalesce($4, r.transaction_id), ${marksAfter(table, isEnd)}
       updated_at = now()
     where id = $1`,
    [id, state, command, transactionId ?? null],
  );
}

/** An end clears the operator's marks. Each column is followed by a comma. */
function marksAfter(table: keyof typeof MARKS, isEnd: string): string {
  return MARKS[table].map((mark) => `${mark} = r.${mark} and not ${isEnd}, `).join('');
}
