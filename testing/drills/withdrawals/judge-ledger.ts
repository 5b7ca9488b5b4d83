// Reads the ledger from the projected tables: withdrawals, balances, and whether all totals match.
// Never reads the request tables.

import type { Atoms, UserId } from '../../../core/money/index.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { SandboxAdmin } from '../../../tools/sandbox/sandbox-admin.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { findLedgerFaults } from '../requests/ledger-faults.ts';

const SETTLED_WITHIN_MS = 60_000;

export interface LedgerWithdrawal {
  readonly amountAtoms: Atoms;
  readonly feeAtoms: Atoms;
  readonly status: 'open' | 'completed' | 'canceled';
}

export interface LedgerBalance {
  readonly availableAtoms: Atoms;
  readonly heldAtoms: Atoms;
}

/** Returns the engine's bitcoin withdrawals of a user, oldest first. */
export async function withdrawalsOf(
  { projections }: SandboxAdmin,
  user: UserId,
): Promise<LedgerWithdrawal[]> {
  const { rows } = await projections.query(
    'select amount_atoms, fee_atoms, status from withdrawals where user_id = $1 order by command',
    [user],
  );
  return rows.map((row) => ({
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    status: row.status,
  }));
}

export async function balanceOf(
  { projections }: SandboxAdmin,
  { asset, user }: { readonly user: UserId; readonly asset: number },
): Promise<LedgerBalance> {
  const { rows } = await projections.query(
    'select available_atoms, held_atoms from balances where owner = $1 and asset_id = $2',
    [user, asset],
  );
  return {
    availableAtoms: BigInt(rows[0]?.available_atoms ?? 0) as Atoms,
    heldAtoms: BigInt(rows[0]?.held_atoms ?? 0) as Atoms,
  };
}

/** Counts entries after which a user's account was below zero, at any moment of the log. */
export async function countBelowZero({ projections }: SandboxAdmin): Promise<number> {
  const { rows } = await projections.query(
    `select count(*) from (
       select sum(available_change_atoms) over w as available, sum(held_change_atoms) over w as held
       from ledger_entries where owner > 0
       window w as (partition by owner, asset_id order by frame, event_index, posting_index)
     ) running where available < 0 or held < 0`,
  );
  return Number(rows[0].count);
}

/** Returns mismatched totals, one sentence each. */
export function findFaults(admin: SandboxAdmin): Promise<string[]> {
  return findLedgerFaults(admin);
}

/** Waits until no command is pending and the tables contain all of them. */
export async function untilQuiet({ sandbox }: { readonly sandbox: Sandbox }): Promise<void> {
  const { admin } = sandbox;
  await waitUntil({
    what: 'no command is pending',
    timeoutMs: SETTLED_WITHIN_MS,
    question: async () => {
      const waiting = "select 1 from outbox where state = 'waiting' limit 1";
      return (await admin.registry.query(waiting)).rows.length === 0;
    },
  });
  // Changes nothing; only shows where the log ends.
  const { user } = sandbox.seeded.users.bob;
  const { frame } = await admin.apply({ kind: 'SetUserGroup', user, group: 0, house: false });
  await admin.waitUntilProjected(frame);
}
