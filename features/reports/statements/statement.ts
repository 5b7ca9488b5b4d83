// An account statement: balances before and after a period, and every posting between them, oldest
// first. Entries up to a position never change, so they are read in batches without a transaction.

import type { Owner } from '../../../core/messages/index.ts';
import { FEES_OWNER } from '../../../core/messages/index.ts';
import type { AssetId } from '../../../core/money/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type AccountBalance, balancesBefore, endOf } from '../ledger/balances-at.ts';
import { findPosition, type Position } from '../ledger/ledger-position.ts';
import { type PostingEntry, postingOfRow } from '../ledger/postings.ts';

export interface StatementPeriod {
  readonly owner: Owner;
  readonly from: Date;
  /** Not included; undefined for now. */
  readonly to: Date | undefined;
  readonly asset?: AssetId | undefined;
}

export interface AssetStatement {
  readonly asset: AssetId;
  readonly opening: AccountBalance;
  readonly closing: AccountBalance;
}

export interface Statement {
  readonly owner: Owner;
  readonly opening: Position;
  readonly closing: Position;
  /** Assets with a balance or a posting, in order of ID. */
  readonly assets: readonly AssetStatement[];
}

/** Effect of a posting on this account. Holds and releases do not change its total. */
export type StatementLineType = PostingEntry['causeKind'] | 'fee' | 'hold' | 'release';

export interface StatementLine extends PostingEntry {
  readonly type: StatementLineType;
  /** After the posting. */
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

const BATCH = 2_000;

export async function findStatement(
  statements: Statements,
  schema: string,
  { asset, from, owner, to }: StatementPeriod,
): Promise<Statement | Refused<'dates_reversed' | 'frame_not_reached'>> {
  if (to !== undefined && to < from) return new Refused('dates_reversed');
  const opening = await findPosition(statements, schema, before(from));
  if (opening instanceof Refused) return opening;
  const closing = await findPosition(statements, schema, to && before(to));
  if (closing instanceof Refused) return closing;
  const balancesAt = async (position: Position) => {
    const place = endOf(position);
    const found = await balancesBefore(statements, schema, { owner, place });
    return new Map(found.map((balance) => [balance.asset, balance]));
  };
  const openings = await balancesAt(opening);
  const closings = await balancesAt(closing);
  const assets = [...closings.values()]
    .filter((balance) => asset === undefined || balance.asset === asset)
    .map((balance) => ({
      asset: balance.asset,
      opening: openings.get(balance.asset) ?? { ...balance, availableAtoms: 0n, heldAtoms: 0n },
      closing: balance,
    }));
  return { owner, opening, closing, assets };
}

/** Times of entries have milliseconds. */
function before(time: Date): { readonly at: Date } {
  return { at: new Date(time.getTime() - 1) };
}

/** Counts the postings of all assets, up to `max`. */
export async function countStatementLines(
  statements: Statements,
  schema: string,
  { assets, closing, opening, owner }: Statement,
  max: number,
): Promise<number> {
  assertPlainName(schema);
  const { rows } = await statements.query(
    `select count(*) as count from (
       select 1 from unnest($2::bigint[]) a (id) join ${schema}.ledger_entries e
         on e.owner = $1 and e.asset_id = a.id
       where ${BETWEEN('$3', '$4', '$5', '$6')} limit $7
     ) counted`,
    [
      owner,
      assets.map(({ asset }) => asset),
      opening.at,
      opening.frame,
      closing.at,
      closing.frame,
      max,
    ],
  );
  return Number(rows[0].count);
}

/**
 * Yields the postings of an asset in batches, with the balance after each. Throws if they do not
 * lead from the opening to the closing balance: such a statement must never look complete.
 */
export async function* readStatementLines(
  statements: Statements,
  schema: string,
  { closing: end, opening: start, owner }: Statement,
  { asset, closing, opening }: AssetStatement,
): AsyncGenerator<StatementLine[], void> {
  assertPlainName(schema);
  let { availableAtoms, heldAtoms } = opening;
  let after: readonly unknown[] = Object.values(endOf(start));
  for (;;) {
    const { rows } = await statements.query(LINES(schema), [
      owner,
      asset,
      ...after,
      end.at,
      end.frame,
      BATCH,
    ]);
    if (rows.length === 0) break;
    const lines = rows.map((row) => {
      const entry = postingOfRow(row);
      availableAtoms += entry.availableChangeAtoms;
      heldAtoms += entry.heldChangeAtoms;
      return { ...entry, type: typeOf(entry, row.is_fee), availableAtoms, heldAtoms };
    });
    const { at, eventIndex, frame, postingIndex } = lines[lines.length - 1];
    after = [at, frame, eventIndex, postingIndex];
    yield lines;
  }
  if (availableAtoms !== closing.availableAtoms || heldAtoms !== closing.heldAtoms) {
    throw new Error(`the statement of owner ${owner} in asset ${asset} does not add up`);
  }
}

function typeOf(entry: PostingEntry, isFee: boolean): StatementLineType {
  const { availableChangeAtoms, causeKind, heldChangeAtoms } = entry;
  if (availableChangeAtoms + heldChangeAtoms === 0n && availableChangeAtoms !== 0n) {
    return heldChangeAtoms > 0n ? 'hold' : 'release';
  }
  return isFee ? 'fee' : causeKind;
}

const BETWEEN = (fromAt: string, fromFrame: string, toAt: string, toFrame: string) => `
  (e.recorded_at, e.frame) > (${fromAt}::timestamptz, ${fromFrame}::bigint)
  and (e.recorded_at, e.frame) <= (${toAt}::timestamptz, ${toFrame}::bigint)`;

// A posting whose other side is the fees account is a fee.
const LINES = (schema: string) => `
  select e.*, e.cause_kind in ('trade', 'withdrawal') and exists (
      select from ${schema}.ledger_entries f
      where f.owner = ${FEES_OWNER} and f.asset_id = e.asset_id and f.recorded_at = e.recorded_at
        and f.frame = e.frame and f.event_index = e.event_index
        and f.posting_index = e.posting_index
    ) as is_fee
  from ${schema}.ledger_entries e
  where e.owner = $1 and e.asset_id = $2
    and (e.recorded_at, e.frame, e.event_index, e.posting_index)
      > ($3::timestamptz, $4::bigint, $5::bigint, $6::bigint)
    and (e.recorded_at, e.frame) <= ($7::timestamptz, $8::bigint)
  order by e.recorded_at, e.frame, e.event_index, e.posting_index limit $9`;
