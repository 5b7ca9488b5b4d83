// Performs an action: assesses it, then does it immediately or stores a request for approval.
// Action, audit entry and totals are one transaction. Actions run one after another, so totals
// cannot be raced.

import {
  type Connection,
  idOf,
  inTransaction,
  LOCKS,
  type Pool,
  withConnection,
} from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { namingCommands } from '../../platform/outbox/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { isRefused, Refused } from '../../protocol/wire/index.ts';
import { appendAudit, canonicalJson, type JsonObject, type JsonValue } from '../audit/index.ts';
import type {
  Act,
  ActContext,
  ActExchange,
  Assessment,
  Executed,
  Operator,
  Prepared,
} from './act.ts';
import { tellAdministrators, tellVoters } from './approval-mails.ts';
import { ADMINISTRATOR, type ExchangeControl, readControl } from './control.ts';
import { isPower } from './powers.ts';
import { findSharedMark } from './same-person.ts';
import { payloadHash, sealContent } from './sealed-requests.ts';
import {
  approvalsForValue,
  isAboveCeiling,
  type KeyLimit,
  readKeyLimit,
  recordMovement,
  valueMoney,
} from './thresholds.ts';

export interface ActPorts {
  readonly registry: Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly exchange: ActExchange;
}

export interface WaitingApproval {
  readonly kind: 'waiting';
  readonly approval: number;
}

export type Performed<Result extends JsonValue> =
  | { readonly kind: 'done'; readonly executed: Executed<Result> }
  | WaitingApproval;

/** Rejections that any action can have, in addition to its own. */
export type PerformRefusal = 'role_missing' | 'key_daily_limit' | 'user_is_erased';

/** A prepared action with its value and the number of approvals it needs. */
export interface WeighedAct<Result extends JsonValue = JsonValue, Key extends string = string>
  extends Prepared<Result, Key> {
  readonly needed: 0 | 1 | 2;
  /** Null without money or without a price. */
  readonly value: string | null;
  /** Whether thresholds count it without an approval. */
  readonly isCounted: boolean;
  readonly control: ExchangeControl;
}

export const APPROVAL_LIFE_MS = 86_400_000;

/** Permission that includes every other. */
export const EVERYTHING = '*';

/** After a rejection, nothing has happened. */
export function performAct<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string,
>(
  ports: ActPorts,
  operator: Operator,
  act: Act<Payload, Result, Key>,
  payload: Payload,
): Promise<Performed<Result> | Refused<Key | PerformRefusal>> {
  return withConnection(ports.registry, (connection) =>
    inTransaction(
      connection,
      async () => {
        await lockActs(connection);
        return performIn(contextOf(ports, connection, operator), act, payload);
      },
      { rollBackIf: isRefused },
    ),
  );
}

/**
 * Like `performAct`, in the caller's transaction, which holds the lock on actions and rolls back a
 * rejection.
 */
export async function performIn<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string,
>(
  given: ActContext,
  act: Act<Payload, Result, Key>,
  payload: Payload,
): Promise<Performed<Result> | Refused<Key | PerformRefusal>> {
  const operator = await reloadOperator(given.connection, given.operator);
  if (operator instanceof Refused) return operator;
  const context = { ...given, operator };
  const weighed = await assessApprovals(context, act, payload);
  if (weighed instanceof Refused) return weighed;
  if (weighed.needed === 0) {
    const executed = await executeAct(context, act, { weighed });
    return executed instanceof Refused ? executed : { kind: 'done', executed };
  }
  const approval = await request(context, act, payload, weighed);
  return approval instanceof Refused ? approval : { kind: 'waiting', approval };
}

/** The role might have been removed or changed since the gateway last read it. */
async function reloadOperator(
  connection: Connection,
  operator: Operator,
): Promise<Operator | Refused<'role_missing'>> {
  const { rows } = await connection.query(
    `select r.powers, r.permissions from users u join roles r on r.name = u.role
     where u.id = $1 and u.role = $2 and u.state = 'active'`,
    [operator.user, operator.role],
  );
  if (rows.length === 0 || !mayCall(rows[0].permissions, operator.call)) {
    return new Refused('role_missing');
  }
  const [{ permissions, powers }] = rows;
  return {
    ...operator,
    powers: new Set((powers as string[]).filter(isPower)),
    permissions: new Set(permissions as string[]),
  };
}

/** Whether a role's permissions include that of a call. */
export function mayCall(permissions: readonly string[], call: string): boolean {
  return permissions.includes(EVERYTHING) || permissions.includes(call);
}

/** Blocks other actions until the transaction ends. Call it first. */
export async function lockActs(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.acts]);
}

export function contextOf(
  { clock, exchange, vault }: ActPorts,
  connection: Connection,
  operator: Operator,
): ActContext {
  return { connection, operator, vault, exchange, nowMs: clock.nowMs() };
}

/** Prepares an action and decides how many operators must approve it. */
export async function assessApprovals<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string,
>(
  context: ActContext,
  act: Act<Payload, Result, Key>,
  payload: Payload,
): Promise<WeighedAct<Result, Key> | Refused<Key | PerformRefusal>> {
  const control = await readControl(context.connection);
  const prepared = await act.prepare(context, payload);
  if (prepared instanceof Refused) return prepared;
  const money = await weighMoney(context, control, prepared);
  const { isGranted, limit, value } = money;
  const needed = Math.max(prepared.approvals, money.needed) as 0 | 1 | 2;
  if (control.mode === 'team') {
    return { ...prepared, value, needed, isCounted: !isGranted, control };
  }
  const isAlone = context.operator.role === ADMINISTRATOR;
  if ((isAlone || needed === 0) && limit?.isKept === false) {
    return new Refused('key_daily_limit', { limit: `${limit.dailyLimit} ${control.currency}` });
  }
  // One administrator approves actions of other roles.
  return {
    ...prepared,
    value,
    needed: isAlone || needed === 0 ? 0 : 1,
    isCounted: !isAlone,
    control,
  };
}

interface WeighedMoney {
  readonly value: string | null;
  readonly needed: 0 | 1 | 2;
  /** The daily limit of the operator's key, if it has one. */
  readonly limit?: KeyLimit;
  /** In team mode, the limit replaces approvals. */
  readonly isGranted: boolean;
}

async function weighMoney(
  context: ActContext,
  control: ExchangeControl,
  { beneficiaries, money }: Assessment,
): Promise<WeighedMoney> {
  if (money === undefined) return { value: null, needed: 0, isGranted: false };
  const { connection, nowMs, operator } = context;
  const { value } = await valueMoney(context, money);
  const limit = await readKeyLimit(connection, { operator, value, nowMs });
  // Operators cannot pay themselves, their family, or an account that is evidently theirs without
  // approval.
  const isOwn = (await findSharedMark(connection, operator.user, beneficiaries)) !== undefined;
  if (control.mode === 'team' && limit?.isKept === true && !isOwn) {
    return { value, needed: 0, limit, isGranted: true };
  }
  const movement = { operator: operator.user, beneficiaries, value, nowMs };
  const needed = await approvalsForValue(connection, control, movement);
  const isAbove = await isAboveCeiling(connection, { operator, value, nowMs });
  return {
    value,
    needed: needed === 0 && (isOwn || isAbove) ? 1 : needed,
    ...(limit && { limit }),
    isGranted: false,
  };
}

export interface Approved<Result extends JsonValue, Key extends string> {
  readonly weighed: WeighedAct<Result, Key>;
  /** The approved request and its number of approvals; absent if none was needed. */
  readonly approval?: { readonly id: number; readonly approvals: number };
}

/** Executes an action and records it. */
export async function executeAct<Result extends JsonValue, Key extends string>(
  context: ActContext,
  act: Pick<Act, 'name'>,
  { approval, weighed }: Approved<Result, Key>,
): Promise<Executed<Result> | Refused<Key>> {
  const { connection, nowMs, operator, vault } = context;
  const { commands, result: executed } = await namingCommands(connection, () => weighed.run());
  if (executed instanceof Refused) return executed;
  const { control, money, object, value } = weighed;
  if (money !== undefined) {
    await recordMovement(connection, {
      operator: operator.user,
      credential: operator.credential,
      beneficiaries: weighed.beneficiaries,
      act: act.name,
      approvals: approval?.approvals ?? 0,
      isCounted: approval !== undefined || weighed.isCounted,
      value,
      nowMs,
    });
    const moved = { act: act.name, object, money, value, control, approval: approval?.id };
    await tellAdministrators(context, moved);
  }
  const { after, before, personal, subject } = executed;
  await appendAudit(connection, vault, {
    actor: operator,
    act: act.name,
    object,
    subject,
    before,
    after,
    personal,
    approval: approval?.id,
    commands,
    nowMs,
  });
  return executed;
}

async function request<Payload extends JsonObject>(
  context: ActContext,
  act: Pick<Act<Payload>, 'name' | 'personal' | 'votePower'>,
  payload: Payload,
  weighed: WeighedAct,
): Promise<number | Refused<'user_is_erased'>> {
  const { connection, nowMs, operator, vault } = context;
  const { beneficiaries, control, money, needed, object, objectVersion, shown, value } = weighed;
  const { isForAll = false, votePower = act.votePower } = weighed;
  const expiresAt = new Date(nowMs + APPROVAL_LIFE_MS);
  const retype = money !== undefined && needed === 2 ? `${money.amount} ${money.currency}` : null;
  const { rows } = await connection.query(
    `select nextval(pg_get_serial_sequence('approval_requests', 'id')) as id`,
  );
  const id = idOf<number>(rows[0].id);
  const { subjects = beneficiaries } = weighed;
  const content = await sealContent(connection, vault, { id, act, subjects, payload, shown });
  if (content instanceof Refused) return content;
  const hash = payloadHash(act.name, content);
  await connection.query(
    `insert into approval_requests (id, act, payload, payload_hash, sealed, subjects, shown, object,
       object_version, value, retype, requester_id, requester_role, requester_call,
       requester_credential, requester_address, beneficiaries, needed, created_at, expires_at,
       vote_power)
     overriding system value
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20, $21)`,
    [
      id,
      act.name,
      canonicalJson(content.payload),
      hash,
      content.sealed,
      content.sealed === null ? [] : subjects,
      JSON.stringify(content.shown),
      object,
      objectVersion,
      value,
      retype,
      operator.user,
      operator.role,
      operator.call,
      operator.credential,
      operator.address,
      beneficiaries,
      needed,
      new Date(nowMs),
      expiresAt,
      votePower,
    ],
  );
  await content.storeKey();
  const told = { id, act: act.name, votePower, shown, needed, expiresAt };
  await tellVoters(context, { ...told, isForAll, mode: control.mode });
  await appendAudit(connection, vault, {
    actor: operator,
    act: 'approval.request',
    object: `approval ${id}`,
    after: { act: act.name, object, needed, payload_hash: hash.toString('hex') },
    approval: id,
    nowMs,
  });
  return id;
}
