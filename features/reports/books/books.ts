// The books of a period in double entry: opening and closing balance of every account of the chart,
// and the postings between them. Each currency balances on its own. Debits are positive.

import { EXTERNAL_OWNER, FEES_OWNER, type Owner } from '../../../core/messages/index.ts';
import type { AssetId } from '../../../core/money/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findPosition, type Position } from '../ledger/ledger-position.ts';
import { type PostingEntry, postingOfRow } from '../ledger/postings.ts';
import { type AssetTotals, totalsAt } from '../ledger/totals-at.ts';

/** Accounts keep their code in every layout. */
export const CHART = [
  { account: '1000', name: 'Held outside the exchange', type: 'asset' },
  { account: '2000', name: 'Balances of users, available', type: 'liability' },
  { account: '2100', name: 'Balances of users, on hold', type: 'liability' },
  { account: '4000', name: 'Fees, not settled', type: 'income' },
] as const;

export type AccountCode = (typeof CHART)[number]['account'];

export interface Period {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
}

export interface Books {
  readonly opening: Position;
  readonly closing: Position;
  /** From stored totals, not from the postings of the period. */
  readonly openingBalances: Balances;
  readonly closingBalances: Balances;
}

/** Maps currencies to the debit balance of each account. */
export type Balances = ReadonlyMap<AssetId, Readonly<Record<AccountCode, bigint>>>;

/** One side of a posting. */
export interface LedgerLine {
  /** The same for all lines of a posting, which add up to zero. Never changes. */
  readonly entry: string;
  readonly posting: PostingEntry;
  readonly account: AccountCode;
  /** Positive for a debit, negative for a credit. */
  readonly debitAtoms: bigint;
}

/** Lines read at a time. */
const BATCH = 5_000;
/** Above every index of an event or posting. */
const LAST_INDEX = 2 ** 53 - 1;

export async function openBooks(
  statements: Statements,
  schema: string,
  { from, to }: Period,
): Promise<Books | Refused<'dates_reversed' | 'frame_not_reached'>> {
  if (to < from) return new Refused('dates_reversed');
  const opening = await findPosition(statements, schema, { at: before(from) });
  if (opening instanceof Refused) return opening;
  const closing = await findPosition(statements, schema, { at: before(to) });
  if (closing instanceof Refused) return closing;
  if (!closing.isFinal) return new Refused('frame_not_reached', { frame: closing.frame });
  const balances = async (position: Position) =>
    balancesOf(await totalsAt(statements, schema, position));
  return {
    opening,
    closing,
    openingBalances: await balances(opening),
    closingBalances: await balances(closing),
  };
}

/** Times of postings have milliseconds. */
function before(time: Date): Date {
  return new Date(time.getTime() - 1);
}

// The engine's accounts are credit-positive: what the exchange owes is positive.
function balancesOf(totals: readonly AssetTotals[]): Balances {
  return new Map(
    totals.map(({ asset, externalAtoms, feesAtoms, usersAvailableAtoms, usersHeldAtoms }) => [
      asset,
      {
        '1000': -externalAtoms,
        '2000': -usersAvailableAtoms,
        '2100': -usersHeldAtoms,
        '4000': -feesAtoms,
      },
    ]),
  );
}

/** Yields the lines of the period in the order of the log. */
export async function* readGeneralLedger(
  statements: Statements,
  schema: string,
  { closing, opening }: Books,
): AsyncGenerator<LedgerLine[], void> {
  assertPlainName(schema);
  let last = [opening.frame, LAST_INDEX, LAST_INDEX, LAST_INDEX];
  let at = opening.at;
  for (;;) {
    const { rows } = await statements.query(LINES(schema), [
      ...last,
      at,
      closing.frame,
      closing.at,
      BATCH,
    ]);
    if (rows.length === 0) return;
    const entries = rows.map(postingOfRow);
    const end = entries[entries.length - 1];
    last = [end.frame, end.eventIndex, end.postingIndex, end.owner];
    at = end.at;
    yield entries.flatMap(linesOf);
  }
}

function linesOf(posting: PostingEntry): LedgerLine[] {
  const { availableChangeAtoms, eventIndex, frame, heldChangeAtoms, owner, postingIndex } = posting;
  const entry = `${frame}.${eventIndex}.${postingIndex}`;
  return [
    { account: accountOf(owner, 'available'), debitAtoms: -availableChangeAtoms },
    { account: accountOf(owner, 'held'), debitAtoms: -heldChangeAtoms },
  ]
    .filter(({ debitAtoms }) => debitAtoms !== 0n)
    .map((side) => ({ entry, posting, ...side }));
}

function accountOf(owner: Owner, part: 'available' | 'held'): AccountCode {
  if (owner === EXTERNAL_OWNER) return '1000';
  if (owner === FEES_OWNER) return '4000';
  return part === 'available' ? '2000' : '2100';
}

// Frames and times increase together; the times select the partitions.
const LINES = (schema: string) => `
  select e.* from ${schema}.ledger_entries e
  where e.frame >= $1 and e.frame <= $6
    and e.recorded_at >= $5::timestamptz and e.recorded_at <= $7::timestamptz
    and (e.frame, e.event_index, e.posting_index, e.owner)
      > ($1::bigint, $2::bigint, $3::bigint, $4::bigint)
  order by e.frame, e.event_index, e.posting_index, e.owner limit $8`;

export interface TrialBalanceRow {
  readonly asset: AssetId;
  readonly account: AccountCode;
  readonly openingAtoms: bigint;
  readonly debitAtoms: bigint;
  readonly creditAtoms: bigint;
  readonly closingAtoms: bigint;
}

/** Adds up the lines of a period, and compares them with the stored balances at its ends. */
export class TrialBalance {
  readonly #books: Books;
  readonly #sums = new Map<string, { debit: bigint; credit: bigint }>();
  readonly #differences: string[] = [];
  #entry = '';
  #open = 0n;

  constructor(books: Books) {
    this.#books = books;
  }

  add({ account, debitAtoms, entry, posting }: LedgerLine): void {
    if (entry !== this.#entry) this.#closeEntry(entry);
    this.#open += debitAtoms;
    const key = `${posting.asset} ${account}`;
    const sums = this.#sums.get(key) ?? { debit: 0n, credit: 0n };
    this.#sums.set(key, sums);
    if (debitAtoms > 0n) sums.debit += debitAtoms;
    else sums.credit -= debitAtoms;
  }

  #closeEntry(next: string): void {
    if (this.#open !== 0n) this.#differences.push(`entry ${this.#entry} is off by ${this.#open}`);
    this.#entry = next;
    this.#open = 0n;
  }

  /** The rows, and in words what does not balance. Call it after the last line. */
  close(): { readonly rows: TrialBalanceRow[]; readonly differences: readonly string[] } {
    this.#closeEntry('');
    const { closingBalances, openingBalances } = this.#books;
    const rows: TrialBalanceRow[] = [];
    for (const [asset, closing] of closingBalances) {
      const ofAsset = CHART.map(({ account }) => {
        const { credit, debit } = this.#sums.get(`${asset} ${account}`) ?? {
          debit: 0n,
          credit: 0n,
        };
        const openingAtoms = openingBalances.get(asset)?.[account] ?? 0n;
        const closingAtoms = openingAtoms + debit - credit;
        if (closingAtoms !== closing[account]) {
          this.#differences.push(
            `account ${account} of asset ${asset} is ${closingAtoms}, not ${closing[account]}`,
          );
        }
        return {
          asset,
          account,
          openingAtoms,
          debitAtoms: debit,
          creditAtoms: credit,
          closingAtoms,
        };
      });
      rows.push(...ofAsset);
      const total = ofAsset.reduce((sum, row) => sum + row.closingAtoms, 0n);
      if (total !== 0n) this.#differences.push(`asset ${asset} is off by ${total}`);
    }
    return { rows, differences: this.#differences };
  }
}
