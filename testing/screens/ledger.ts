// Ledger access for screen checks: balances as the engine posted them, and operator credits.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Stage } from './stage.ts';

export interface LedgerBalance {
  readonly total: string;
  readonly available: string;
  readonly held: string;
}

/** Returns balances by asset from the projected ledger tables, exact to the atom. */
export async function ledgerBalances(
  { sandbox }: Pick<Stage, 'sandbox'>,
  user: number,
): Promise<Readonly<Record<string, LedgerBalance>>> {
  const { rows } = await sandbox.admin.projections.query(
    `select symbol, scale, available_atoms, held_atoms
     from balances join assets on assets.id = asset_id where owner = $1`,
    [user],
  );
  const found = rows.map((row) => {
    const text = (atoms: bigint) => plain(decimalFromAtoms(atoms as Atoms, Number(row.scale)));
    const [available, held] = [BigInt(row.available_atoms), BigInt(row.held_atoms)];
    return [
      row.symbol,
      { total: text(available + held), available: text(available), held: text(held) },
    ];
  });
  return Object.fromEntries(found);
}

/** Credits a deposit as an operator over the API. */
export async function depositFor(
  stage: Pick<Stage, 'clientOf'>,
  deposit: {
    readonly user: number;
    readonly currency: string;
    readonly network: string;
    readonly amount: number;
  },
): Promise<void> {
  const { amount, currency, network, user } = deposit;
  const transaction_id = randomBytes(32).toString('hex');
  const body = { user_id: user, currency, network, amount, transaction_id };
  const answer = await stage.clientOf('admin').post('/admin/mint', body);
  assert.equal(answer.status, 201, answer.text);
}

/** Waits until the row shows the ledger's total and available amounts digit by digit. */
export async function rowEquals(
  stage: Stage,
  row: Locator,
  { coin, user }: { readonly user: number; readonly coin: string },
): Promise<void> {
  let seen = '';
  await waitUntil({
    what: `the screen shows the ledger's ${coin}`,
    timeoutMs: stage.patienceMs,
    question: async () => {
      const { available, total } = (await ledgerBalances(stage, user))[coin];
      const cells = (await row.first().getByRole('cell').allInnerTexts()).map(plain);
      seen = `screen ${cells.join(' | ')}, ledger ${total} ${available}`;
      return cells.includes(total) && cells.includes(available);
    },
  }).catch((cause) => {
    throw new Error(seen, { cause });
  });
}

/** Strips separators, unit and trailing zeros from a number. */
export function plain(text: string): string {
  const [number] = text.replaceAll(',', '').trim().split(/\s/u);
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
