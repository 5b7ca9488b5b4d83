// Rebuilds requests from accepted money commands in the log after the registry was restored to an
// earlier time. The log wins. Only `restore reconcile` calls this, in its transaction. A withdrawal
// with an unknown end becomes claimed, because it might have been paid.

import { randomUUID } from 'node:crypto';
import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { ChannelCommand, OutboxRequests } from '../../platform/outbox/index.ts';
import { isSameTransaction, lostCauseOf } from './causes.ts';
import { insertDepositRequest } from './deposits/requests.ts';
import { DEPOSITS } from './deposits/states.ts';
import { recordLogged } from './request-moves.ts';
import { LOST_ADDRESS, type RequestedAsset } from './withdrawals/requests.ts';
import { WITHDRAWALS, type WithdrawalState } from './withdrawals/states.ts';

/** An accepted command in the log that is missing in the registry. */
export interface LoggedCommand {
  readonly command: ChannelCommand;
  /** Command number in the log. */
  readonly number: number;
  readonly timeMs: number;
}

export interface RebuildContext {
  readonly connection: Connection;
  asset(id: AssetId): RequestedAsset;
  /** Deposit requests whose own command is in the log at another position. */
  readonly creditedElsewhere: ReadonlySet<number>;
  /** Withdrawal numbers that the registry reused for another withdrawal. */
  readonly reused: Set<number>;
}

export interface Rebuilt extends OutboxRequests {
  /** For example `withdrawal 77`. */
  readonly object: string;
  /** Decision that an operator must make, if any. */
  readonly decision?: string | undefined;
}

type Logged<Kind extends ChannelCommand['kind']> = LoggedCommand & {
  readonly command: Extract<ChannelCommand, { readonly kind: Kind }>;
};

/** Returns undefined for a command without a request. */
export async function rebuildRequests(
  context: RebuildContext,
  logged: LoggedCommand,
): Promise<Rebuilt | undefined> {
  switch (logged.command.kind) {
    case 'CreditDeposit':
    case 'MintAsset':
      return rebuildDeposit(context, logged as Logged<'CreditDeposit' | 'MintAsset'>);
    case 'OpenWithdrawal':
      return rebuildOpening(context, logged as Logged<'OpenWithdrawal'>);
    case 'CompleteWithdrawal':
    case 'CancelWithdrawal':
      return rebuildEnd(context, logged as Logged<'CompleteWithdrawal' | 'CancelWithdrawal'>);
    case 'TransferAsset':
      return rebuildTransfer(context, logged as Logged<'TransferAsset'>);
    case 'BurnAsset':
      return rebuildBurn(context, logged as Logged<'BurnAsset'>);
    default:
      return undefined;
  }
}

/**
 * Restores a claim from the log, because the withdrawal might have been paid. Returns undefined if
 * the registry already has the claim or the withdrawal's end.
 */
export async function rebuildClaim(
  { connection, reused }: RebuildContext,
  withdrawal: number,
  { number, timeMs }: Pick<LoggedCommand, 'number' | 'timeMs'>,
): Promise<Rebuilt | undefined> {
  if (reused.has(withdrawal)) return undefined;
  const { rows } = await connection.query(
    'select state from withdrawal_requests where id = $1 for update',
    [withdrawal],
  );
  if (rows.length === 0 || !CLAIMABLE.includes(rows[0].state)) return undefined;
  await recordLogged(connection, WITHDRAWALS, {
    id: withdrawal,
    state: 'claimed',
    command: number,
  });
  await noteClaim(connection, withdrawal, timeMs);
  const object = `withdrawal ${withdrawal}`;
  return { object, withdrawalRequest: withdrawal, decision: WAS_IT_PAID };
}

const CLAIMABLE: readonly WithdrawalState[] = [
  'in_review',
  'approved',
  'canceling',
  'dismissing',
  'rejecting',
  'expiring',
];

const WAS_IT_PAID =
  'look for the payment; if it exists, complete the withdrawal with its transaction, ' +
  'otherwise release and reject it';
const NUMBER_IS_REUSED =
  'the registry assigned its ID to another withdrawal; compare both with the payments';

async function rebuildDeposit(
  context: RebuildContext,
  { command, number }: Logged<'CreditDeposit' | 'MintAsset'>,
): Promise<Rebuilt> {
  const { connection, creditedElsewhere } = context;
  const { amountAtoms, asset, channel, channelSequence, reference, user } = command;
  const { rows } = await connection.query(
    `select id, state, transaction_id, cause, command from deposit_requests
     where user_id = $1 and asset_id = $2 and amount_atoms = $3 and kind in ('deposit', 'mint')
     order by id for update`,
    [user, asset, amountAtoms],
  );
  const same = rows.filter((row) => isSameTransaction(row.transaction_id, reference));
  const isCredited = (row: (typeof rows)[number]) =>
    row.state === 'completed' || creditedElsewhere.has(Number(row.id));
  const open = same.find((row) => !isCredited(row));
  const cause = lostCauseOf(reference, `${channel}.${channelSequence}`);
  let id = open === undefined ? undefined : Number(open.id);
  if (id === undefined) {
    id = await insertDepositRequest(connection, {
      kind: command.kind === 'CreditDeposit' ? 'deposit' : 'mint',
      state: 'completed',
      user,
      asset: context.asset(asset),
      amountAtoms,
      transactionId: reference,
      cause,
      withMail: false,
    });
    if (id === undefined) throw new Error(`deposit ${cause} exists already`);
  } else if (open.cause === null) {
    await connection.query('update deposit_requests set cause = $2 where id = $1', [id, cause]);
  }
  await recordLogged(connection, DEPOSITS, { id, state: 'completed', command: number });
  const rebuilt = { object: `deposit ${id}`, depositRequest: id };
  if (!same.some(isCredited)) return rebuilt;
  const decision =
    'the log has two credits of this transaction, user and amount; if they are one payment, ' +
    'burn one of them';
  return { ...rebuilt, decision };
}

async function rebuildOpening(
  context: RebuildContext,
  logged: Logged<'OpenWithdrawal'>,
): Promise<Rebuilt> {
  const { connection, reused } = context;
  const { command, number, timeMs } = logged;
  const { withdrawal: id } = command;
  const { rows } = await connection.query(
    `select user_id = $2 and asset_id = $3 and amount_atoms = $4 and fee_asset_id = $5
       and fee_atoms = $6 as is_same
     from withdrawal_requests where id = $1 for update`,
    [id, command.user, command.asset, command.amountAtoms, command.feeAsset, command.feeAtoms],
  );
  const object = `withdrawal ${id}`;
  if (rows.length > 0 && !rows[0].is_same) {
    reused.add(id);
    return { object, decision: NUMBER_IS_REUSED };
  }
  if (rows.length === 0) await insertLost(context, logged);
  else await recordLogged(connection, WITHDRAWALS, { id, state: 'claimed', command: number });
  await noteClaim(connection, id, timeMs);
  return { object, withdrawalRequest: id, decision: WAS_IT_PAID };
}

/** Uses the log's number, which identifies the withdrawal in the engine. */
async function insertLost(
  { asset, connection }: RebuildContext,
  { command, number, timeMs }: Logged<'OpenWithdrawal'>,
): Promise<void> {
  const [paid, fee] = [asset(command.asset), asset(command.feeAsset)];
  await connection.query(
    `insert into withdrawal_requests (id, kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state, command,
       with_mail, created_at)
     overriding system value
     values ($1, 'withdrawal', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'claimed', $13, false,
       to_timestamp($14 / 1000.0))`,
    [
      command.withdrawal,
      command.user,
      paid.id,
      paid.currency,
      paid.scale,
      command.amountAtoms,
      fee.id,
      fee.currency,
      fee.scale,
      command.feeAtoms,
      LOST_ADDRESS,
      randomUUID(),
      number,
      timeMs,
    ],
  );
}

/** The claimant is unknown, so any payer can complete or release it. */
async function noteClaim(connection: Connection, id: number, timeMs: number): Promise<void> {
  await connection.query(
    `update withdrawal_requests set claimed_by = null,
       claimed_for = coalesce(claimed_for, 'operator'), claimed_at = to_timestamp($2 / 1000.0)
     where id = $1`,
    [id, timeMs],
  );
}

async function rebuildEnd(
  { connection, reused }: RebuildContext,
  { command, number }: Logged<'CompleteWithdrawal' | 'CancelWithdrawal'>,
): Promise<Rebuilt> {
  const { withdrawal: id } = command;
  const object = `withdrawal ${id}`;
  if (reused.has(id)) return { object, decision: NUMBER_IS_REUSED };
  const { rows } = await connection.query(
    'select state from withdrawal_requests where id = $1 for update',
    [id],
  );
  if (rows.length === 0) return { object, decision: 'this withdrawal is not in the registry' };
  const isPaid = command.kind === 'CompleteWithdrawal';
  await recordLogged(connection, WITHDRAWALS, {
    id,
    state: isPaid ? 'completed' : releasedAs(rows[0].state),
    command: number,
    transactionId: isPaid && command.reference !== '' ? command.reference : undefined,
  });
  return { object, withdrawalRequest: id };
}

/** Returns the end that the row was moving to; the log does not record who released the amount. */
function releasedAs(state: WithdrawalState): WithdrawalState {
  const arrow = WITHDRAWALS.find(state, 'accept', 'engine');
  return arrow?.answers?.includes('CancelWithdrawal') ? arrow.to : 'canceled';
}

/** Staking and referral transfers have no request. */
async function rebuildTransfer(
  context: RebuildContext,
  { command, number }: Logged<'TransferAsset'>,
): Promise<Rebuilt | undefined> {
  const { connection } = context;
  const { amountAtoms, asset, receiver, reference, sender } = command;
  if (!UUID.test(reference)) return undefined;
  const sent = await findTransfer(connection, 'withdrawal_requests', reference, sender);
  const withdrawalRequest = sent ?? (await insertSent(context, { ...command, user: sender }));
  const received = await findTransfer(connection, 'deposit_requests', reference, receiver);
  const depositRequest =
    received ??
    (await insertDepositRequest(connection, {
      kind: 'transfer',
      state: 'completed',
      user: receiver,
      asset: context.asset(asset),
      amountAtoms,
      address: 'transfer',
      transactionId: reference,
      cause: null,
      withMail: false,
    }));
  if (depositRequest === undefined) throw new Error(`transfer ${reference} exists already`);
  const end = { state: 'completed', command: number } as const;
  await recordLogged(connection, WITHDRAWALS, { id: withdrawalRequest, ...end });
  await recordLogged(connection, DEPOSITS, { id: depositRequest, ...end });
  return { object: `withdrawal ${withdrawalRequest}`, withdrawalRequest, depositRequest };
}

/** Every transfer between users has a UUID as its reference. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function findTransfer(
  connection: Connection,
  table: 'withdrawal_requests' | 'deposit_requests',
  reference: string,
  user: UserId,
): Promise<number | undefined> {
  const { rows } = await connection.query(
    `select id from ${table} where transaction_id = $1 and user_id = $2 order by id for update`,
    [reference, user],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

async function rebuildBurn(
  context: RebuildContext,
  { command, number }: Logged<'BurnAsset'>,
): Promise<Rebuilt> {
  const id = await insertSent(context, { ...command, kind: 'burn' });
  await recordLogged(context.connection, WITHDRAWALS, { id, state: 'completed', command: number });
  return { object: `withdrawal ${id}`, withdrawalRequest: id };
}

/** A burn or the sending side of a transfer. The engine does not store its number. */
async function insertSent(
  { asset, connection }: RebuildContext,
  sent: {
    readonly kind: 'burn' | 'TransferAsset';
    readonly user: UserId;
    readonly asset: AssetId;
    readonly amountAtoms: Atoms;
    readonly reference: string;
  },
): Promise<number> {
  const { currency, id, scale } = asset(sent.asset);
  const kind = sent.kind === 'burn' ? 'burn' : 'transfer';
  const { rows } = await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state, with_mail)
     values ($1, $2, $3, $4, $5, $6, $3, $4, $5, 0, $7, $8, 'completed', false) returning id`,
    [
      kind,
      sent.user,
      id,
      currency,
      scale,
      sent.amountAtoms,
      kind === 'burn' ? '' : kind,
      sent.reference,
    ],
  );
  return Number(rows[0].id);
}
