// Ledger entries as a list: by account, command or frame, newest first. A page continues before the
// last entry of the previous page, so every page costs the same.

import type { Owner } from '../../../core/messages/index.ts';
import type { AssetId } from '../../../core/money/index.ts';
import { assertPlainName, idOf } from '../../../infra/postgres/index.ts';
import type { EntryPlace } from './balances-at.ts';

/** Indexes serve owner, command and frame, so one of them is required. */
export type PostingFilter = {
  readonly asset?: AssetId | undefined;
  /** Only entries before this place. The entries of one posting are in order of owners. */
  readonly before: EntryPlace & { readonly owner?: number | undefined };
} & (
  | { readonly owner: Owner; readonly command?: undefined; readonly frame?: undefined }
  | { readonly owner?: Owner | undefined; readonly command: number; readonly frame?: undefined }
  | { readonly owner?: Owner | undefined; readonly command?: undefined; readonly frame: number }
);

export interface PostingList {
  /** `order` is a complete `order by …`. The last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the maximum count; null counts all. */
  readonly count: string;
  /** Filter values, which come first in both statements. */
  readonly values: readonly unknown[];
  /** Unique together. */
  readonly defaultSort: readonly string[];
}

export interface PostingEntry extends EntryPlace {
  readonly owner: Owner;
  readonly asset: AssetId;
  readonly availableChangeAtoms: bigint;
  readonly heldChangeAtoms: bigint;
  readonly causeKind: string;
  readonly causeId: number;
  /** 0 if caused by the passage of time. */
  readonly command: number;
  readonly reference: string | null;
}

const LAST_OWNER = 2 ** 53 - 1;

export function postings(filter: PostingFilter, schema: string): PostingList {
  assertPlainName(schema);
  const { asset, before, command, frame, owner } = filter;
  const place = [before.frame, before.eventIndex, before.postingIndex];
  const defaultSort = ['e.frame', 'e.event_index', 'e.posting_index', 'e.owner'];
  if (command === undefined && frame === undefined) {
    const values = [owner, asset ?? null, before.at, ...place];
    const matching = (limit: string) => OF_ACCOUNT(schema, limit);
    return {
      values,
      rows: (order) => `select e.* ${matching('limit $7')} ${order} limit $7 offset $8`,
      count: `select count(*) from (select ${matching('limit $7')} limit $7) counted`,
      defaultSort,
    };
  }
  const last = before.owner ?? LAST_OWNER;
  const values = [owner ?? null, asset ?? null, ...place, last, command ?? frame];
  const by = command === undefined ? 'e.frame = $7' : 'e.command = $7 and e.command > 0';
  const matching = `${OF_ALL(schema)} and ${by}`;
  return {
    values,
    rows: (order) => `select e.* ${matching} ${order} limit $8 offset $9`,
    count: `select count(*) from (select ${matching} limit $8) counted`,
    defaultSort,
  };
}

// Newest entries of each asset in index order, then the newest of these. The projected
// balances list the account's assets.
const OF_ACCOUNT = (schema: string, limit: string) => `
  from ${schema}.balances b cross join lateral (
    select e.* from ${schema}.ledger_entries e
    where e.owner = b.owner and e.asset_id = b.asset_id
      and (e.recorded_at, e.frame, e.event_index, e.posting_index)
        < ($3::timestamptz, $4::bigint, $5::bigint, $6::bigint)
    order by e.recorded_at desc, e.frame desc, e.event_index desc, e.posting_index desc ${limit}
  ) e where b.owner = $1 and ($2::bigint is null or b.asset_id = $2)`;

const OF_ALL = (schema: string) => `
  from ${schema}.ledger_entries e where ($1::bigint is null or e.owner = $1)
    and ($2::bigint is null or e.asset_id = $2)
    and (e.frame, e.event_index, e.posting_index, e.owner)
      < ($3::bigint, $4::bigint, $5::bigint, $6::bigint)`;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function postingOfRow(row: any): PostingEntry {
  return {
    owner: Number(row.owner) as Owner,
    asset: idOf(row.asset_id),
    at: row.recorded_at,
    frame: Number(row.frame),
    eventIndex: Number(row.event_index),
    postingIndex: Number(row.posting_index),
    availableChangeAtoms: BigInt(row.available_change_atoms),
    heldChangeAtoms: BigInt(row.held_change_atoms),
    causeKind: row.cause_kind,
    causeId: Number(row.cause_id),
    command: Number(row.command),
    reference: row.reference,
  };
}
