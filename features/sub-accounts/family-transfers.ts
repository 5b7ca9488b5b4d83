// Transfers between a parent and its sub-accounts: free, immediate, and not withdrawals. The rows
// and the command are one transaction under the family lock. Never decides whether the balance is
// sufficient: the engine does.

import type { Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { joinFamilyGroups } from '../accounts/index.ts';
import { isReadOnly } from '../kill-switches/index.ts';
import { isSignatureUsed, type RequestedAsset, startTransfer } from '../payments/index.ts';
import { hasEngineSettings, lockOwnSub } from './sub-accounts.ts';

export interface FamilyTransfer {
  readonly parent: UserId;
  readonly sub: UserId;
  readonly direction: 'to_sub' | 'to_master';
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly description: string;
  /** 0 for a session, and vice versa. */
  readonly key: KeyId;
  readonly session: number;
  readonly signatureHash?: Uint8Array | undefined;
}

const RETRY_AFTER_S = 1;

export function transferInFamily(connection: Connection, transfer: FamilyTransfer) {
  const { amountAtoms, asset, description, direction, key, parent, session, sub } = transfer;
  return inTransaction(connection, async () => {
    if (!(await lockOwnSub(connection, { parent, sub }))) {
      return new Refused('sub_account_not_found');
    }
    if (await isSignatureUsed(connection, transfer)) return new Refused('signature_replayed');
    const { rows } = await connection.query(
      "select from users where id = $1 and state = 'active' and kind = 'person'",
      [parent],
    );
    if (rows.length === 0) return new Refused('account_deactivated');
    // Until the engine has the group, the family could trade with itself. The rejection is
    // committed with the settings.
    if (direction === 'to_sub' && !(await hasEngineSettings(connection, [parent, sub]))) {
      await joinFamilyGroups(connection, [sub]);
      return new Refused('sub_account_not_ready', {}, RETRY_AFTER_S);
    }
    if (await isReadOnly(connection)) return new Refused('exchange_read_only');
    return startTransfer(connection, {
      sender: direction === 'to_sub' ? parent : sub,
      receiver: direction === 'to_sub' ? sub : parent,
      asset,
      amountAtoms,
      description,
      by: 'user',
      actor: parent,
      key,
      session,
      ...(transfer.signatureHash !== undefined && { signatureHash: transfer.signatureHash }),
    });
  });
}
