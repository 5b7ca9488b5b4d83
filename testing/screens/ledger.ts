// The ledger beside the screens: balances as the engine has posted them, and credits by operators.

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

/** By coin, from the tables of the projected ledger, exact to the atom. */
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

/** An operator credits a deposit over the API. */
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

/** The row shows total and available of the ledger, digit by digit. */
export async function rowEquals(
  stage: Stage,
  row: Locator,
  { coin, user }: { readonly user: number; readonly coin: string },
): Promise<void> {
  let seen = '';
  await waitUntil({
    what: `the screen shows the ${coin} of the ledger`,
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

/** A number without separators, unit and trailing zeros. */
export function plain(text: string): string {
  const [number] = text.replaceAll(',', '').trim().split(/\s/u);
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
