// Ledger checks: the engine's accounts against each other and against the projected balances, and
// the projected balances against their entries.

import {
  amountText,
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
  projectedFrame,
} from './check.ts';
import type { EngineAccount } from './engine-state.ts';

const PARTS = ['available', 'held'] as const;

/** An account's two amounts, in the order of PARTS. */
type Amounts = readonly [available: bigint, held: bigint];

/** Double entry: everything in an asset's accounts came from outside. */
export const ENGINE_SUMS: Check = {
  name: 'engine_sums',
  pauses: true,
  async walk({ engine }) {
    const sums = new Map<number, bigint>();
    let rows = 0;
    for (const { asset, availableAtoms, heldAtoms } of engine.accounts()) {
      sums.set(asset, (sums.get(asset) ?? 0n) + availableAtoms + heldAtoms);
      rows++;
    }
    const differences = [...sums].flatMap(([asset, sum]): Difference[] => {
      const { symbol } = engine.assetOf(asset);
      const found = amountText(engine, asset, sum);
      if (sum === 0n) return [];
      return [{ object: `sum of ${symbol}`, asset: symbol, expected: `0 ${symbol}`, found }];
    });
    return { frame: engine.frame, rows, differences, next: undefined };
  },
};

export const BALANCES: Check = {
  name: 'balances',
  pauses: true,
  async walk(context, from = START_OF_ACCOUNTS) {
    const { engine, rowsMax } = context;
    const read = await readBalances(context, from);
    if (read === undefined || !(await engine.reach(read.frame))) return 'later';
    const accounts = engine.accountsAt(read.frame);
    if (accounts === undefined) return 'later';
    const { frame, rows } = read;
    const last = rows.length < rowsMax ? undefined : rows[rows.length - 1];
    const range = { from, to: last && [`${last.owner}`, `${last.asset}`] };
    const projected = new Map(rows.map((row) => [keyOf(row), row.amounts]));
    const differences: Difference[] = [];
    for (const account of accounts) {
      if (!isWithin(account, range)) continue;
      const key = keyOf(account);
      const found = projected.get(key) ?? NOTHING;
      projected.delete(key);
      differences.push(...compare(context, account, { expected: amountsOf(account), found }));
    }
    // The engine has no such account.
    for (const row of rows) {
      if (!projected.has(keyOf(row))) continue;
      differences.push(...compare(context, row, { expected: NOTHING, found: row.amounts }));
    }
    return { frame, rows: rows.length, differences, next: range.to };
  },
};

/** Walks through the entries account by account; an account can need several calls. */
export const ENTRIES: Check = {
  name: 'entries',
  pauses: true,
  async walk(context, from = START_OF_ENTRIES) {
    const read = await readEntries(context, from);
    if (read === undefined) return 'later';
    const { balances, frame, last, rows, sums } = read;
    const [owner, asset, , , , , ...carried] = from;
    carryOver(sums, keyOf({ owner: Number(owner), asset: Number(asset) }), carried);
    const isEnd = rows < context.rowsMax;
    // The last account might have more entries, so the next call compares it.
    const open = isEnd || last === undefined ? undefined : keyOf(last);
    const differences: Difference[] = [];
    for (const { amounts, ...account } of balances) {
      const key = keyOf(account);
      if (key === open) continue;
      const expected = sums.get(key) ?? NOTHING;
      differences.push(...compare(context, account, { expected, found: amounts }));
    }
    const next = open === undefined ? undefined : [...last!.place, ...sums.get(open)!.map(String)];
    return { frame, rows, differences, next };
  },
};

const NOTHING: Amounts = [0n, 0n];
const LEAST_OWNER = '-9223372036854775808';
const START_OF_ACCOUNTS: Place = [LEAST_OWNER, '0'];
const START_OF_ENTRIES: Place = [LEAST_OWNER, '0', '-infinity', '0', '0', '0', '0', '0'];

interface Account {
  readonly owner: number;
  readonly asset: number;
}

interface Balance extends Account {
  readonly amounts: Amounts;
}

function keyOf({ asset, owner }: Account): string {
  return `${owner} ${asset}`;
}

function amountsOf({ availableAtoms, heldAtoms }: EngineAccount): Amounts {
  return [availableAtoms, heldAtoms];
}

function compare(
  { engine }: CheckContext,
  { asset, owner }: Account,
  { expected, found }: { readonly expected: Amounts; readonly found: Amounts },
): Difference[] {
  return PARTS.flatMap((part, index) => {
    if (expected[index] === found[index]) return [];
    const { symbol } = engine.assetOf(asset);
    return [
      {
        object: `account ${owner} ${symbol} ${part}`,
        asset: symbol,
        expected: amountText(engine, asset, expected[index]),
        found: amountText(engine, asset, found[index]),
      },
    ];
  });
}

/** After `from`, up to and including `to`. */
function isWithin(
  { asset, owner }: Account,
  { from, to }: { readonly from: Place; readonly to: Place | undefined },
): boolean {
  const order = (place: Place): number => owner - Number(place[0]) || asset - Number(place[1]);
  return order(from) > 0 && (to === undefined || order(to) <= 0);
}

async function readBalances(
  { connection, projectionSchema, rowsMax }: CheckContext,
  from: Place,
): Promise<{ readonly frame: number; readonly rows: Balance[] } | undefined> {
  return inSnapshot(connection, async () => {
    const frame = await projectedFrame(connection, projectionSchema);
    if (frame === undefined) return undefined;
    const { rows } = await connection.query(
      `select owner, asset_id, available_atoms, held_atoms from ${projectionSchema}.balances
       where (owner, asset_id) > ($1, $2) order by owner, asset_id limit $3`,
      [...from.slice(0, 2), rowsMax],
    );
    return { frame, rows: rows.map(balanceOf) };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function balanceOf(row: any): Balance {
  const amounts: Amounts = [BigInt(row.available_atoms), BigInt(row.held_atoms)];
  return { owner: Number(row.owner), asset: Number(row.asset_id), amounts };
}

interface Entries {
  readonly frame: number;
  /** Number of entries. */
  readonly rows: number;
  readonly sums: Map<string, Amounts>;
  /** Account of the last entry, and its key. */
  readonly last: (Account & { readonly place: Place }) | undefined;
  /** Balances of the accounts with these entries, and of those between them. */
  readonly balances: readonly Balance[];
}

async function readEntries(
  { connection, projectionSchema, rowsMax }: CheckContext,
  from: Place,
): Promise<Entries | undefined> {
  return inSnapshot(connection, async () => {
    const frame = await projectedFrame(connection, projectionSchema);
    if (frame === undefined) return undefined;
    const { rows: groups } = await connection.query(sumOfEntries(projectionSchema), [
      ...from.slice(0, 6),
      rowsMax,
    ]);
    const sums = new Map(groups.map((row) => [keyOf(balanceOf(row)), balanceOf(row).amounts]));
    const rows = groups.reduce((sum, row) => sum + Number(row.entries), 0);
    const [newest] = groups.filter((row) => row.last_frame !== null);
    const last = newest && {
      owner: Number(newest.owner),
      asset: Number(newest.asset_id),
      place: [newest.owner, newest.asset_id, newest.last_at, newest.last_frame].concat(
        newest.last_event,
        newest.last_posting,
      ),
    };
    const to = rows < rowsMax || last === undefined ? undefined : last;
    const { rows: balances } = await connection.query(
      `select owner, asset_id, available_atoms, held_atoms from ${projectionSchema}.balances
       where (owner, asset_id) >= ($1, $2)
         and ($3::bigint is null or (owner, asset_id) <= ($3::bigint, $4::bigint))`,
      [...from.slice(0, 2), to?.owner ?? null, to?.asset ?? null],
    );
    return { frame, rows, sums, last, balances: balances.map(balanceOf) };
  });
}

/** Total per account; the row of the last account also has the key of the last entry. */
function sumOfEntries(schema: string): string {
  return `
    with part as materialized (
      select owner, asset_id, recorded_at, frame, event_index, posting_index,
        available_change_atoms, held_change_atoms
      from ${schema}.ledger_entries
      where (owner, asset_id, recorded_at, frame, event_index, posting_index)
        > ($1, $2, $3::timestamptz, $4, $5, $6)
      order by owner, asset_id, recorded_at, frame, event_index, posting_index
      limit $7
    ), last as (
      select * from part
      order by owner desc, asset_id desc, recorded_at desc, frame desc, event_index desc,
        posting_index desc
      limit 1
    ), sums as (
      select owner, asset_id, count(*) as entries, sum(available_change_atoms) as available_atoms,
        sum(held_change_atoms) as held_atoms
      from part group by owner, asset_id
    )
    select sums.*, last.recorded_at::text as last_at, last.frame as last_frame,
      last.event_index as last_event, last.posting_index as last_posting
    from sums left join last on last.owner = sums.owner and last.asset_id = sums.asset_id`;
}

/** Adds the totals of earlier calls for the account in which the walk stopped. */
function carryOver(sums: Map<string, Amounts>, key: string, carried: readonly string[]): void {
  const [available, held] = carried.map(BigInt);
  const now = sums.get(key) ?? NOTHING;
  sums.set(key, [now[0] + available, now[1] + held]);
}
