// Confirms a withdrawal with the code from its email. The code must match these terms, and the
// policy must still allow it. Then the engine is requested to hold the amount. A transfer to a
// user's email address executes immediately; one to an unknown address stays pending and expires.

import type { Atoms, UserId } from '../../../core/money/index.ts';
import { assertPlainName, type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS, type OutboxPosition } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUserByEmail } from '../../accounts/index.ts';
import { type Flow, returnCode, usePublicCode } from '../../auth/index.ts';
import { isReadOnly } from '../../kill-switches/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { addReceivedTransfer } from '../deposits/requests.ts';
import { policyRefusal } from '../policy/policy-refusal.ts';
import { runPolicyAgain } from '../policy/withdrawal-policy-input.ts';
import {
  type LockedRequest,
  lockRequest,
  moveRequest,
  type RequestChange,
} from '../request-moves.ts';
import { CONFIRM_WITHDRAWAL, type WithdrawalPorts } from './request-withdrawal.ts';
import { openCommand } from './requests.ts';
import { WITHDRAWALS, type WithdrawalState } from './states.ts';
import { type StoredTerms, termsOf, termsText } from './withdrawal-terms.ts';

export interface WithdrawalConfirmation {
  readonly code: string;
  readonly flow: Flow;
  /**
   * User of the session that sends a short code, 0 without one. Only the session that requested
   * such a code can use it. Absent for a link, which works anywhere.
   */
  readonly user?: UserId | 0;
  readonly nowMs: number;
}

export interface ConfirmedWithdrawal {
  readonly kind: 'confirmed';
  readonly terms: StoredTerms;
  /** Outbox position of the hold or transfer command; undefined without a recipient. */
  readonly position: OutboxPosition | undefined;
}

/** How long a transfer to an unknown address stays pending. */
const AWAITING_MS = 86_400_000;

export function confirmByMail(
  connection: Connection,
  { projectionSchema, vault }: WithdrawalPorts,
  confirmation: WithdrawalConfirmation,
) {
  return inTransaction(connection, async () => {
    // Locks the user, whose row is the family lock.
    const asked = { ...confirmation, purpose: CONFIRM_WITHDRAWAL } as const;
    const used = await usePublicCode(connection, vault, asked);
    if (used instanceof Refused) return used;
    const [id] = JSON.parse(used.payload);
    const found = await lockRequest(connection, WITHDRAWALS, { id }, used.user);
    if (found instanceof Refused || found.state !== 'unconfirmed') {
      return new Refused('withdrawal_under_way');
    }
    if (found.row.expires_at.getTime() <= confirmation.nowMs) return new Refused('code_expired');
    const terms = termsOf(found.row);
    if (termsText(terms) !== used.payload) return new Refused('withdrawal_terms_changed');
    const decision = await runPolicyAgain(connection, { id, projectionSchema });
    if (decision === undefined) throw new Error(`withdrawal request ${id} has no policy`);
    const refusal = policyRefusal(decision);
    if (refusal !== undefined) {
      await returnCode(connection, { user: used.user, purpose: CONFIRM_WITHDRAWAL });
      return refusal;
    }
    const isTransfer = terms.network === EMAIL_NETWORK;
    // Checked for known and unknown recipients alike; the engine decides.
    if (isTransfer && !(await seemsEnough(connection, terms, projectionSchema))) {
      await returnCode(connection, { user: used.user, purpose: CONFIRM_WITHDRAWAL });
      return new Refused('balance_too_small');
    }
    if (await isReadOnly(connection)) {
      await returnCode(connection, { user: used.user, purpose: CONFIRM_WITHDRAWAL });
      return new Refused('exchange_read_only');
    }
    const { nowMs } = confirmation;
    const moved = isTransfer
      ? await transfer(connection, found, { terms, nowMs })
      : await hold(connection, found, terms);
    if (moved instanceof Refused) throw new Error(`withdrawal ${id}: ${moved.key}`);
    const position = moved.kind === 'requested' ? moved.position : undefined;
    const confirmed: ConfirmedWithdrawal = { kind: 'confirmed', terms, position };
    return confirmed;
  });
}

type Locked = LockedRequest<WithdrawalState>;

function hold(connection: Connection, found: Locked, terms: StoredTerms): Promise<RequestChange> {
  return moveRequest(connection, WITHDRAWALS, found, {
    move: 'confirm',
    by: 'user',
    channel: OUTBOX_CHANNELS.withdrawals,
    command: openCommand(found.id, terms),
  });
}

// Does not lock the receiver's row, because two users paying each other at the same time would
// deadlock. If the account closes in the meantime, the credit reactivates it.
async function transfer(
  connection: Connection,
  found: Locked,
  { nowMs, terms }: { readonly terms: StoredTerms; readonly nowMs: number },
): Promise<RequestChange> {
  const { address, amountAtoms, asset, network, transactionId, user: sender } = terms;
  const receiver = await findRecipient(connection, terms);
  const of = { by: 'user', channel: OUTBOX_CHANNELS.transfers } as const;
  const command = {
    kind: 'TransferAsset',
    sender,
    receiver: receiver ?? sender,
    asset: asset.id,
    amountAtoms,
    reference: transactionId,
  } as const;
  if (receiver === undefined) {
    await connection.query('update withdrawal_requests set expires_at = $2 where id = $1', [
      found.id,
      new Date(nowMs + AWAITING_MS),
    ]);
    return moveRequest(connection, WITHDRAWALS, found, { move: 'awaitRecipient', ...of, command });
  }
  const depositRequest = await addReceivedTransfer(connection, {
    user: receiver,
    asset,
    amountAtoms,
    transactionId,
    network,
    address,
  });
  return moveRequest(connection, WITHDRAWALS, found, {
    move: 'execute',
    ...of,
    command,
    depositRequest,
  });
}

/** Returns another user with an account in use. */
async function findRecipient(
  connection: Connection,
  { address, user }: StoredTerms,
): Promise<UserId | undefined> {
  const found = await findUserByEmail(connection, address);
  if (found === undefined || found.state !== 'active' || found.id === user) return undefined;
  const { rows } = await connection.query(`select from users where id = $1 and kind = 'person'`, [
    found.id,
  ]);
  return rows.length === 1 ? found.id : undefined;
}

async function seemsEnough(
  connection: Connection,
  { amountAtoms, asset, user }: StoredTerms,
  projectionSchema: string,
): Promise<boolean> {
  assertPlainName(projectionSchema);
  const { rows } = await connection.query(
    `select available_atoms from ${projectionSchema}.balances where owner = $1 and asset_id = $2`,
    [user, asset.id],
  );
  return BigInt(rows[0]?.available_atoms ?? 0) >= (amountAtoms as Atoms);
}
