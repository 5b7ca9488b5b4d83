// `restore reconcile`: makes a registry that went back in time agree with the log (decision 0034).
// Each money command in the log that the registry lacks gets its outbox row and its request.
// Findings, and the decisions they need from operators, are recorded in lost_commands. Runs in one
// transaction and can be repeated.

import { isDeepStrictEqual } from 'node:util';
import type { AssetId, UserId } from '../../core/money/index.ts';
import { createLostUser, reopenCredited } from '../../features/accounts/index.ts';
import { expireAllApprovals } from '../../features/approvals/index.ts';
import { endSessionsOfEveryone } from '../../features/kill-switches/index.ts';
import {
  type RebuildContext,
  type Rebuilt,
  rebuildClaim,
  rebuildRequests,
  settleRequests,
} from '../../features/payments/index.ts';
import { recordLostPayout } from '../../features/referral/index.ts';
import { isDerivedMovement } from '../../features/staking/index.ts';
import { MONEY_CHANNELS } from '../../infra/identities/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { type Replica, startReplica } from '../../infra/replica/index.ts';
import {
  appendCopy,
  type ChannelCommand,
  isStatement,
  type OutboxPosition,
  passFence,
  raiseChannel,
  readKnownOutcomes,
  readMissingRows,
  readWaiting,
  type Settled,
  SettledTwice,
  settleOutboxIn,
  toCommand,
  VOIDED_ROW_COMMAND,
  voidRow,
  type WaitingRow,
  writeLoggedRow,
} from '../../platform/outbox/index.ts';
import { ToolFault } from '../command-line.ts';
import { Names } from '../replay/names.ts';
import { listOpenFindings, type OpenFinding, recordFinding } from './lost-commands.ts';
import { raiseNumbers } from './raise-numbers.ts';
import {
  type LogFacts,
  type LogSource,
  type MoneyCommand,
  readMoneyCommands,
} from './read-money-commands.ts';

export interface ReconcileOptions extends LogSource {
  /** Must have the registry's schema in its search path. */
  readonly connection: Connection;
  onFrame(done: number, of: number): void;
}

export interface Reconciled {
  /** Findings of this run, one sentence each. */
  readonly found: readonly string[];
  /** Number of pending outbox rows found in the log; they now have their outcome. */
  readonly settled: number;
  /** Corrections of positions and IDs. */
  readonly raised: readonly string[];
  /** Open findings of this run and earlier ones. */
  readonly open: readonly OpenFinding[];
}

const WAITING_MAX = 1_000_000;

export function isClean({ open }: Reconciled): boolean {
  return open.length === 0;
}

/**
 * confirmed: a dispatcher has compared this server with the log, and the outbox has a row for each
 * position. blocked: dispatchers settle nothing. unknown: everything else.
 */
export async function readStanding(
  connection: Connection,
): Promise<'confirmed' | 'blocked' | 'unknown'> {
  const { rows } = await connection.query(
    `select case
       when state = 'blocked' then 'blocked'
       when state = 'confirmed' and timeline = ${TIMELINE}
         and server_started = pg_postmaster_start_time() and not exists (
           select from channels c where last_assigned <> (
             select count(*) from outbox o where o.channel = c.channel)) then 'confirmed'
       else 'unknown' end as standing
     from registry_term`,
  );
  return rows[0]?.standing ?? 'unknown';
}

/** Hold the dispatcher's lock unless the registry is blocked: it must not settle rows now. */
export function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  return inTransaction(options.connection, () => reconcileIn(options));
}

async function reconcileIn(options: ReconcileOptions): Promise<Reconciled> {
  const { at, connection } = options;
  await passFence(connection);
  await connection.query(
    `lock table users, channels, outbox, withdrawal_requests, deposit_requests
     in share row exclusive mode`,
  );
  await assertOutcomesAreLogged(connection, at);
  const compared = await compare(options);
  const { facts, lost, waiting } = compared;
  const found: string[] = await recordUsers(connection, facts);
  const term = await readTerm(connection);
  const isBehind = lost.length > 0 || found.length > 0 || term?.isMoved === true;
  const raised = [
    ...(await raiseChannels(connection, facts)),
    ...(isBehind ? await raiseNumbers(connection, facts.largest) : []),
    ...(isBehind ? await endOpenAccess(connection) : []),
  ];
  const moved = await moveDisplaced(connection, compared, raised);
  const run = new Rebuild(connection, compared);
  for (const one of facts.commands) {
    const row = waiting.get(nameOf(positionOf(one)));
    if (row !== undefined && isSame(row, one)) found.push(...(await run.settle(row, one)));
    else found.push(...(await run.rebuild(one)));
  }
  raised.push(...(await run.voidResolved(moved)));
  found.push(...(await recordLostAudit(connection, facts)));
  if (term !== undefined) await raiseTerm(connection, facts);
  const open = await listOpenFindings(connection);
  return { found, settled: compared.sent.length, raised, open };
}

interface Compared {
  readonly facts: LogFacts;
  /** By position. */
  readonly waiting: ReadonlyMap<string, WaitingRow>;
  /** Pending rows that are in the log. */
  readonly sent: readonly WaitingRow[];
  /** Pending rows whose position has another command in the log; they were never executed. */
  readonly displaced: readonly WaitingRow[];
  /** Commands in the log that the registry lacks. */
  readonly lost: readonly MoneyCommand[];
}

async function compare(options: ReconcileOptions): Promise<Compared> {
  const { connection } = options;
  const isMissing = await readMissingRows(connection);
  const rows = await readWaiting(connection, WAITING_MAX);
  const waiting = new Map(rows.map((row) => [nameOf(row), row]));
  const facts = await readMoneyCommands({
    ...options,
    replica: await startBeforeLoss(options),
    isWanted({ channel, channelSequence: sequence }) {
      return isMissing({ channel, sequence }) || waiting.has(nameOf({ channel, sequence }));
    },
  });
  assertLogIsAhead(facts, await readSettled(connection));
  const [sent, displaced, lost] = [[] as WaitingRow[], [] as WaitingRow[], [] as MoneyCommand[]];
  for (const one of facts.commands) {
    const row = waiting.get(nameOf(positionOf(one)));
    if (row !== undefined && isSame(row, one)) sent.push(row);
    else {
      lost.push(one);
      if (row !== undefined) displaced.push(row);
    }
  }
  return { facts, waiting, sent, displaced, lost };
}

/**
 * Starts from the newest snapshot that contains only positions with an outcome in the registry and
 * is not newer than these outcomes. Everything that the registry lost happened after it.
 */
async function startBeforeLoss(options: ReconcileOptions): Promise<Replica> {
  const { archive, connection, snapshots } = options;
  const { frame, positions } = await readKnownOutcomes(connection);
  for (let atMost = Math.min(frame, archive.end.sequence); ; ) {
    const replica = await startReplica({ archive, snapshots }, atMost);
    const { channelSequences } = replica.exchange;
    const isKnown = MONEY_CHANNELS.every(
      (channel) => channelSequences[channel] <= (positions.get(channel) ?? 0),
    );
    if (isKnown) return replica;
    atMost = replica.sequence - 1;
  }
}

/** Records outcomes and requests, one command after another, in log order. */
class Rebuild {
  readonly #connection: Connection;
  readonly #compared: Compared;
  readonly #names: Names;
  readonly #context: RebuildContext;
  readonly #resolved = { withdrawals: new Set<number>(), deposits: new Set<number>() };

  constructor(connection: Connection, compared: Compared) {
    this.#connection = connection;
    this.#compared = compared;
    const { exchange } = compared.facts.replica;
    this.#names = new Names(exchange);
    this.#context = {
      connection,
      asset(id: AssetId) {
        const { scale, symbol: currency } = exchange.assets[id - 1];
        return { id, currency, scale };
      },
      creditedElsewhere: new Set(
        compared.sent.flatMap(({ depositRequest }) => depositRequest ?? []),
      ),
      reused: new Set(),
    };
  }

  /** Records the outcome of a pending row and its request, unless the log settled it earlier. */
  async settle(row: WaitingRow, logged: MoneyCommand): Promise<string[]> {
    const connection = this.#connection;
    const settled = settledOf(row, logged);
    const withdrawal = claimedBy(logged.command);
    if (withdrawal !== undefined) {
      await settleOutboxIn(connection, [settled], {});
      const claimed = await rebuildClaim(this.#context, withdrawal, logged);
      return claimed === undefined ? [] : this.#record(logged, claimed);
    }
    await connection.query('savepoint settling');
    try {
      await settleOutboxIn(connection, [settled], HOOKS);
      await connection.query('release savepoint settling');
      return [];
    } catch (fault) {
      if (!(fault instanceof SettledTwice)) throw fault;
      await connection.query('rollback to savepoint settling');
      await settleOutboxIn(connection, [settled], {});
      const decision = 'the request was settled by another command; compare both with the log';
      return this.#record(logged, { object: objectOf(logged), decision });
    }
  }

  /** Rebuilds a command that the registry lacks. */
  async rebuild(logged: MoneyCommand): Promise<string[]> {
    const { command, refusal } = logged;
    const rebuilt = await this.#rebuildRequests(logged);
    const { depositRequest, withdrawalRequest } = rebuilt ?? {};
    if (withdrawalRequest !== undefined) this.#resolved.withdrawals.add(withdrawalRequest);
    if (depositRequest !== undefined) this.#resolved.deposits.add(depositRequest);
    const row = { ...logged, depositRequest, withdrawalRequest };
    await writeLoggedRow(this.#connection, row);
    if (refusal !== 'none') {
      const isEmpty = isStatement(command) && rebuilt === undefined;
      return isEmpty ? [] : this.#record(logged, rebuilt);
    }
    const position = positionOf(logged);
    await reopenCredited(this.#connection, [settledOf({ ...position, command }, logged)]);
    if (command.kind !== 'TransferAsset' || rebuilt !== undefined) {
      return this.#record(logged, rebuilt);
    }
    const asset = this.#context.asset(command.asset);
    if (await recordLostPayout(this.#connection, { asset, command, position })) {
      return this.#record(logged, { object: `payout of user ${command.receiver}` });
    }
    const isFoundAgain = isDerivedMovement(command.reference);
    const decision = isFoundAgain ? undefined : UNKNOWN_TRANSFER;
    return this.#record(logged, { object: objectOf(logged), decision });
  }

  async #rebuildRequests(logged: MoneyCommand): Promise<Rebuilt | undefined> {
    const { command, refusal } = logged;
    if (refusal === 'none') return rebuildRequests(this.#context, logged);
    const withdrawal = claimedBy(command);
    return withdrawal === undefined ? undefined : rebuildClaim(this.#context, withdrawal, logged);
  }

  /** Voids pending rows whose request the log has settled; their positions get no command. */
  async voidResolved(moved: ReadonlyMap<string, OutboxPosition>): Promise<string[]> {
    const { sent, waiting } = this.#compared;
    const lines: string[] = [];
    for (const row of waiting.values()) {
      const { depositRequest, withdrawalRequest } = row;
      const isResolved =
        (withdrawalRequest !== undefined && this.#resolved.withdrawals.has(withdrawalRequest)) ||
        (depositRequest !== undefined && this.#resolved.deposits.has(depositRequest));
      if (!isResolved || sent.includes(row)) continue;
      const { channel, sequence } = moved.get(nameOf(row)) ?? row;
      await this.#connection.query(
        `update outbox set sent_after_frame = null, voided = null, voided_record = null
         where channel = $1 and sequence = $2 and state = 'waiting'`,
        [channel, sequence],
      );
      const reason = 'settled_by_the_log';
      const replacement = { reason, command: VOIDED_ROW_COMMAND, keepsRequests: false };
      await voidRow(this.#connection, { channel, sequence, ...replacement });
      lines.push(`outbox ${channel}/${sequence} (${row.command.kind}) is void: the log settled it`);
    }
    return lines;
  }

  async #record(
    logged: MoneyCommand,
    { decision, object, withdrawalRequest }: Rebuilt = { object: objectOf(logged) },
  ): Promise<string[]> {
    const text = sentence(logged, this.#names);
    const { command } = logged;
    await recordFinding(this.#connection, {
      object,
      sentence: text,
      position: positionOf(logged),
      ...(command.kind === 'TransferAsset' && { transfer: command }),
      decision,
      withdrawal: decision === undefined ? undefined : withdrawalRequest,
    });
    return [text];
  }
}

const HOOKS = { requests: settleRequests, accounts: reopenCredited };
const UNKNOWN_TRANSFER =
  'a stake, or another transfer that the registry does not know; transfer the amount back';

/** Moves rows that hold a position of the log behind it, with everything that names them. */
async function moveDisplaced(
  connection: Connection,
  { displaced }: Compared,
  lines: string[],
): Promise<ReadonlyMap<string, OutboxPosition>> {
  const moved = new Map<string, OutboxPosition>();
  for (const row of displaced) {
    const next = await appendCopy(connection, row);
    for (const table of ['stake_movements', 'referral_payouts']) {
      await connection.query(
        `update ${table} set sequence = $3 where channel = $1 and sequence = $2`,
        [row.channel, row.sequence, next.sequence],
      );
    }
    moved.set(nameOf(row), next);
    const { channel, sequence } = row;
    lines.push(`outbox ${channel}/${sequence} (${row.command.kind}) moves to ${next.sequence}`);
  }
  return moved;
}

function settledOf(
  row: OutboxPosition & Pick<Settled['row'], 'command'>,
  { frame, number: command, refusal }: MoneyCommand,
): Settled {
  const { channel, sequence } = row;
  const state = refusal === 'none' ? 'accepted' : 'refused';
  const outcome = { channel, sequence, state, refusal, frame, command } as const;
  return { row: { sentAfterFrame: undefined, ...row }, outcome };
}

async function assertOutcomesAreLogged(connection: Connection, at: number): Promise<void> {
  const { rows } = await connection.query('select max(frame)::float8 as frame from outbox');
  if (rows[0].frame > at) refuseBehind(`an outcome of frame ${rows[0].frame}`, at);
}

async function readSettled(connection: Connection): Promise<Map<number, number>> {
  const { rows } = await connection.query(
    `select channel::float8 as channel, max(sequence)::float8 as sequence from outbox
     where state <> 'waiting' group by channel`,
  );
  return new Map(rows.map((row) => [row.channel, row.sequence]));
}

function assertLogIsAhead({ replica }: LogFacts, settled: ReadonlyMap<number, number>): void {
  for (const [channel, sequence] of settled) {
    if (sequence <= replica.exchange.channelSequences[channel]) continue;
    refuseBehind(`an outcome of position ${sequence} of channel ${channel}`, replica.sequence);
  }
}

function refuseBehind(known: string, at: number): never {
  throw new ToolFault(
    `The registry has ${known}, which the log up to frame ${at} lacks. The log may be ahead of ` +
      'the registry, never behind: restore an older registry or more of the log.',
  );
}

async function raiseChannels(connection: Connection, { replica }: LogFacts): Promise<string[]> {
  const raised: string[] = [];
  for (const channel of MONEY_CHANNELS) {
    const sequence = replica.exchange.channelSequences[channel];
    if (sequence > 0 && (await raiseChannel(connection, { channel, sequence }))) {
      raised.push(`channel ${channel} continues after position ${sequence}`);
    }
  }
  return raised;
}

/** Records users that only the engine has, so no other user gets their IDs. */
async function recordUsers(connection: Connection, { replica }: LogFacts): Promise<string[]> {
  const { rows } = await connection.query('select id::float8 as id from users');
  const known = new Set<number>(rows.map(({ id }) => id));
  const { users } = replica.exchange;
  const ids = Array.from({ length: users.size }, (_, at) => users.id(at + 1));
  const unknown = ids.filter((id) => !known.has(id)).sort((one, other) => one - other);
  const decision = 'find out whose account it is, attach the email address, and unfreeze it';
  const found: string[] = [];
  for (const id of unknown) {
    await createLostUser(connection, id as UserId);
    const sentence = `user ${id} has accounts in the engine`;
    await recordFinding(connection, { object: `user ${id}`, sentence, decision, user: id });
    found.push(sentence);
  }
  return found;
}

async function recordLostAudit(
  connection: Connection,
  { auditSequence }: LogFacts,
): Promise<string[]> {
  const { rows } = await connection.query('select seq::float8 as seq from audit_head');
  const { seq } = rows[0];
  if (auditSequence <= seq) return [];
  const { rows: known } = await connection.query(
    `select from lost_commands where object = 'audit' and sentence like $1`,
    [`% to ${auditSequence} are lost`],
  );
  if (known.length > 0) return [];
  const sentence = `audit entries ${seq + 1} to ${auditSequence} are lost`;
  const decision = 'keep a note with the audit that operators acted, and that the log proves it';
  await recordFinding(connection, { object: 'audit', sentence, decision });
  return [sentence];
}

/**
 * Ends all sessions and pending approvals: those revoked or executed in the lost part would be open
 * again.
 */
async function endOpenAccess(connection: Connection): Promise<string[]> {
  await endSessionsOfEveryone(connection, { keptSession: 0 });
  const count = await expireAllApprovals(connection);
  const sessions = 'all sessions ended: users must log in again';
  if (count === 0) return [sessions];
  return [sessions, `${count} pending approval requests ended: create them again if needed`];
}

/** `isMoved` means that the registry is blocked, or its server's timeline has changed. */
async function readTerm(connection: Connection): Promise<{ isMoved: boolean } | undefined> {
  const { rows } = await connection.query(
    `select state = 'blocked' or timeline <> ${TIMELINE} as is_moved from registry_term`,
  );
  return rows.length === 0 ? undefined : { isMoved: rows[0].is_moved };
}

const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

/** A dispatcher writes the new term to the log before the registry assigns anything. */
async function raiseTerm(connection: Connection, { commands }: LogFacts): Promise<void> {
  const stated = commands.map(({ command }) => Number(TERM.exec(referenceOf(command))?.[1] ?? 0));
  await connection.query(
    `update registry_term set state = 'confirming', reason = null,
       term = greatest(term, $1) + 1, timeline = ${TIMELINE},
       server_started = pg_postmaster_start_time(), changed_at = now()`,
    [Math.max(0, ...stated)],
  );
}

const TERM = /^term (\d+) registry /;
const CLAIM = /^claim (\d+)$/;

function claimedBy(command: ChannelCommand): number | undefined {
  const claim = isStatement(command) ? CLAIM.exec(referenceOf(command)) : null;
  return claim === null ? undefined : Number(claim[1]);
}

function referenceOf(command: ChannelCommand): string {
  return 'reference' in command ? command.reference : '';
}

function isSame(row: WaitingRow, { command }: MoneyCommand): boolean {
  const { number, source } = command;
  return isDeepStrictEqual(command, toCommand(row, { source, number }));
}

function positionOf({ command }: MoneyCommand): OutboxPosition {
  return { channel: command.channel, sequence: command.channelSequence };
}

function objectOf(logged: MoneyCommand): string {
  return `position ${nameOf(positionOf(logged))}`;
}

function sentence(found: MoneyCommand, names: Names): string {
  const { command, frame, number, refusal, timeMs } = found;
  const { channel, channelSequence, kind } = command;
  const when = new Date(timeMs).toISOString();
  const decided = refusal === 'none' ? 'accepted' : `refused: ${refusal}`;
  const outcome = `${decided}, frame ${frame}, command ${number}`;
  const place = `channel ${channel} position ${channelSequence}`;
  return `${when} ${place}: ${kind} ${detailOf(command, names)} (${outcome})`;
}

function detailOf(command: ChannelCommand, names: Names): string {
  const words: string[] = [];
  if ('withdrawal' in command) words.push(`withdrawal ${command.withdrawal}`);
  if ('user' in command) words.push(`user ${command.user}`);
  if ('sender' in command) words.push(`from user ${command.sender} to user ${command.receiver}`);
  if ('amountAtoms' in command) words.push(names.amount(command.asset, command.amountAtoms));
  if ('reference' in command && command.reference !== '') words.push(command.reference);
  return words.join(', ');
}

function nameOf({ channel, sequence }: OutboxPosition): string {
  return `${channel}.${sequence}`;
}
