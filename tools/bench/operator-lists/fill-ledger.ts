// Fills a running sandbox's projected ledger with the history of many users, one of whom has a
// quarter of all postings, and runs the jobs that maintain its totals. Balances are not derived
// from it.

import { DAY_MS } from '../../../core/market-data/index.ts';
import { EXTERNAL_OWNER, FEES_OWNER } from '../../../core/messages/index.ts';
import { closeFeeDay, makeLedgerStep } from '../../../features/reports/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { PROJECTION_SCHEMA as projectionSchema } from '../../sandbox/sandbox-settings.ts';

/** Postings for each user; the heavy user gets a quarter of them. */
const POSTINGS_PER_USER = 4;
const HEAVY_OWNER = 3;
const PER_STATEMENT = 250_000;

// $1 and $2: range of postings; $3: number of postings; $4: number of users; $5: days. Every
// posting has a separate frame and moves money between two accounts.
const ENTRIES = `
  insert into ledger_entries (owner, asset_id, frame, event_index, posting_index,
    available_change_atoms, held_change_atoms, cause_kind, cause_id, command, reference,
    recorded_at)
  select s.owner, 1 + i % 2, i, 0, 0, s.change, 0, 'trade', i, i, null,
    now() - interval '1 hour' - (($3 - i) * ($5 * interval '1 day' / $3::float8))
  from generate_series($1::bigint, $2::bigint) i
  cross join lateral (values
    (case when i % 4 = 0 then ${HEAVY_OWNER} else 4 + (i * 7919 % $4) end, 100),
    (case i % 20 / 2 when 1 then ${FEES_OWNER} when 2 then ${EXTERNAL_OWNER}
       else 5 + $4 + (i * 104729 % $4) end, -100)
  ) s (owner, change)`;

/** Balances determine an account's assets. */
const BALANCES = `
  insert into balances (owner, asset_id, available_atoms, held_atoms, updated_at, updated_frame)
  select owner, asset, 0, 0, now(), 0
  from unnest(array[${HEAVY_OWNER}, ${FEES_OWNER}, ${EXTERNAL_OWNER}]) owner
  cross join generate_series(1, 2) asset on conflict do nothing`;

/** The projector writes no frames while the bench reads. */
const END = 'update projection set frame_sequence = $1';

export async function fillLedger(
  { projections, registry }: { readonly projections: Connection; readonly registry: Connection },
  { days, users }: { readonly days: number; readonly users: number },
): Promise<void> {
  const postings = users * POSTINGS_PER_USER;
  // The sandbox's own frames are later and have lower numbers.
  await projections.query('truncate ledger_entries');
  for (let from = 1; from <= postings; from += PER_STATEMENT) {
    const to = Math.min(postings, from + PER_STATEMENT - 1);
    await projections.query(ENTRIES, [from, to, postings, users, days]);
  }
  await projections.query(BALANCES);
  await projections.query(END, [postings]);
  await projections.query('vacuum analyze ledger_entries');
  const nowMs = Date.now();
  while ((await makeLedgerStep(registry, { projectionSchema, nowMs })) > 0);
  while (await closeFeeDay(registry, { projectionSchema }));
  for (const table of ['ledger_totals', 'ledger_checkpoints', 'fee_days']) {
    await registry.query(`vacuum analyze ${table}`);
  }
}

type Query = Readonly<Record<string, string>>;

/** Every ledger endpoint: now, at a frame, at a time, and deep in a long history. */
export function ledgerToCall({
  days,
  users,
}: {
  readonly days: number;
  readonly users: number;
}): [path: string, queries: Record<string, Query>][] {
  const user_id = `${HEAVY_OWNER}`;
  const frame = Math.floor((users * POSTINGS_PER_USER) / 3);
  const atMs = Date.now() - (days / 2) * DAY_MS;
  const as_of = new Date(atMs).toISOString();
  return [
    ['/admin/ledger/totals', { now: {}, frame: { as_of: `${frame}` }, time: { as_of } }],
    [
      '/admin/ledger/balances',
      {
        heavyNow: { user_id },
        heavyFrame: { user_id, as_of: `${frame}` },
        heavyTime: { user_id, as_of },
        light: { user_id: `${Math.floor(users / 2)}`, as_of },
        fees: { account: 'fees', as_of },
        external: { account: 'external', as_of },
      },
    ],
    [
      '/admin/ledger/postings',
      {
        heavy: { user_id },
        heavyTime: { user_id, as_of },
        heavyCoin: { user_id, currency: 'btc', limit: '100' },
        deep: { user_id, before: `${atMs}.${Math.floor((users * POSTINGS_PER_USER) / 2)}.0.0.1` },
        fees: { account: 'fees', as_of },
        command: { command: `${frame}` },
        frame: { frame: `${frame}` },
      },
    ],
  ];
}
