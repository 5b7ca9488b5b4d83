// Checks the ledger's invariants in the tables, after any requests.

import type { SandboxAdmin } from '../../../tools/sandbox/sandbox-admin.ts';

/** Each query returns no rows if the invariant holds. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'an asset does not sum to zero': `
    select asset_id, sum(available_atoms + held_atoms) as sum from balances
    group by asset_id having sum(available_atoms + held_atoms) <> 0`,
  'a user has a negative balance': `
    select * from balances where owner > 0 and (available_atoms < 0 or held_atoms < 0)`,
  'entries of an asset do not sum to zero': `
    select asset_id, sum(available_change_atoms + held_change_atoms) as sum from ledger_entries
    group by asset_id having sum(available_change_atoms + held_change_atoms) <> 0`,
  'a balance is not the sum of its entries': `
    select b.owner, b.asset_id from balances b left join (
      select owner, asset_id, sum(available_change_atoms) as available,
        sum(held_change_atoms) as held
      from ledger_entries group by owner, asset_id
    ) e using (owner, asset_id)
    where b.available_atoms <> coalesce(e.available, 0)
      or b.held_atoms <> coalesce(e.held, 0)`,
  'a market or channel is frozen': 'select * from freezes where voided_at is null',
};

export async function findLedgerFaults({ projections }: SandboxAdmin): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, text] of Object.entries(QUESTIONS)) {
    const { rows } = await projections.query(text);
    for (const row of rows.slice(0, 3)) faults.push(`${what}: ${JSON.stringify(row)}`);
  }
  return faults;
}
