// Checks outbox rows before their first send. A row that its writer is not allowed to write is
// voided: a command that the engine refuses takes its position. A withdrawal that the policy does
// not allow now must go to operator review, regardless of its request, and so must a credit above
// the limits of the custody file.

import {
  readPlayMoney,
  reviewsOf,
  reviewUnsentCredit,
  runPolicyAgain,
} from '../../../features/payments/index.ts';
import { readReferralSettings } from '../../../features/referral/index.ts';
import type { CustodyFile } from '../../../infra/custody-file/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import {
  VOIDED_ROW_COMMAND,
  type VoidedRow,
  voidRow,
  type WaitingRow,
} from '../../../platform/outbox/index.ts';
import { type CreditRefusal, limitCredit } from './credit-limits.ts';
import { permissionOf } from './permitted.ts';
import { type OutboxFacts, readFacts } from './read-facts.ts';

export interface CheckOptions {
  readonly projectionSchema: string;
  /** True for a demo exchange, the only kind that gives play money. */
  readonly isDemo: boolean;
  /** Undefined if custody is off: every credit from a chain is then reviewed. */
  readonly custody: CustodyFile | undefined;
  onVoided(voided: VoidedRow, row: WaitingRow): void;
  /** Called when the dispatcher requires more reviews than the request has. */
  onReviewsRaised(withdrawal: number, reviews: number): void;
  /** Called when an operator must review a credit before it is sent. */
  onCreditReviewed(deposit: number, reason: CreditRefusal): void;
}

/** Maximum number of required reviews. */
const ALL_REVIEWS = 2;

/** Returns the rows as they are to be sent. */
export async function checkRows(
  connection: Connection,
  rows: readonly WaitingRow[],
  options: CheckOptions,
): Promise<WaitingRow[]> {
  const facts = await readFacts(connection, rows, options.projectionSchema);
  const referral = facts.some(({ payout }) => payout !== null)
    ? await readReferralSettings(connection, options.projectionSchema)
    : undefined;
  const playMoney =
    options.isDemo && facts.some(({ givenAtoms, isFamily }) => givenAtoms !== null && !isFamily)
      ? await readPlayMoney(connection, options.projectionSchema)
      : undefined;
  const checked: WaitingRow[] = [];
  for (const [at, row] of rows.entries()) {
    const { distributor } = referral ?? {};
    const permission = permissionOf({ row, facts: facts[at], distributor, playMoney });
    if (permission === 'send') checked.push(row);
    else if (permission === 'policy') {
      checked.push(await followPolicy(connection, row, facts[at], options));
    } else if (permission === 'limits') {
      checked.push(await followLimits(connection, row, facts[at], options));
    } else {
      const voided = { reason: permission, command: VOIDED_ROW_COMMAND, keepsRequests: false };
      checked.push(await replaced(connection, row, voided, options));
    }
  }
  return checked;
}

/** An amount on hold is reviewed. A transfer is executed immediately, so it is refused instead. */
async function followPolicy(
  connection: Connection,
  row: WaitingRow,
  { withdrawal }: OutboxFacts,
  options: CheckOptions,
): Promise<WaitingRow> {
  const id = Number(withdrawal?.id);
  const { projectionSchema } = options;
  const isTransfer = row.command.kind === 'TransferAsset';
  const reviews = await inTransaction(connection, async () => {
    const decided = await runPolicyAgain(connection, { id, projectionSchema, isForged: true });
    const isRefused = decided === undefined || decided.verdict.kind === 'refuse';
    const most = isRefused || withdrawal?.isOld === true ? ALL_REVIEWS : reviewsOf(decided.verdict);
    if (isTransfer || most === 0) return most;
    const { rowCount } = await connection.query(
      `update withdrawal_requests set reviews_needed = $2
       where id = $1 and reviews_needed < $2 and state = 'opening'`,
      [id, most],
    );
    if (rowCount === 1) options.onReviewsRaised(id, most);
    return most;
  });
  if (row.command.kind !== 'TransferAsset' || reviews === 0) return row;
  const { command } = row;
  const toSelf = { ...command, receiver: command.sender };
  const voided = { reason: 'policy_refuses', command: toSelf, keepsRequests: true };
  return replaced(connection, row, voided, options);
}

/** A credit above a limit is not sent. An operator's approval sends another one. */
function followLimits(
  connection: Connection,
  row: WaitingRow,
  { deposit }: OutboxFacts,
  options: CheckOptions,
): Promise<WaitingRow> {
  return inTransaction(connection, async () => {
    const reason = await limitCredit(connection, row, deposit!, options.custody);
    if (reason === undefined) return row;
    const voided = { reason, command: VOIDED_ROW_COMMAND, keepsRequests: false };
    if (reason === 'address_not_derived') return replaced(connection, row, voided, options);
    const id = Number(deposit!.id);
    await reviewUnsentCredit(connection, id);
    return replaced(connection, row, voided, {
      onVoided: () => options.onCreditReviewed(id, reason),
    });
  });
}

async function replaced(
  connection: Connection,
  row: WaitingRow,
  { command, keepsRequests, reason }: Pick<VoidedRow, 'command' | 'keepsRequests' | 'reason'>,
  { onVoided }: Pick<CheckOptions, 'onVoided'>,
): Promise<WaitingRow> {
  const { channel, sequence } = row;
  const voided = { channel, sequence, reason, command, keepsRequests };
  await voidRow(connection, voided);
  onVoided(voided, row);
  const { depositRequest, withdrawalRequest, ...rest } = row;
  const kept = keepsRequests ? { depositRequest, withdrawalRequest } : {};
  return { ...rest, ...kept, command };
}
